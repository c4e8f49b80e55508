#include "http/grpc.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hone::mesh {

bool is_grpc(const Head& request) {
  constexpr std::string_view kType = "application/grpc";
  const Header* const type = request.headers.find(HeaderId::kContentType);
  if (type == nullptr || !type->value.starts_with(kType)) return false;
  const std::string_view rest = type->value.substr(kType.size());
  return rest.empty() || rest.front() == '+' || rest.front() == ';';
}

std::optional<Duration> parse_grpc_timeout(std::string_view value) {
  // At most eight digits and a unit.
  if (value.size() < 2 || value.size() > 9) return std::nullopt;
  const std::optional<std::uint64_t> count = number(value.substr(0, value.size() - 1));
  if (!count) return std::nullopt;
  const auto times = [&](Duration unit) {
    // More than a year counts as a year, which does not overflow.
    constexpr Duration kYear = std::chrono::hours(24 * 365);
    return *count > static_cast<std::uint64_t>(kYear / unit) ? kYear : unit * static_cast<std::int64_t>(*count);
  };
  switch (value.back()) {
    case 'H':
      return times(std::chrono::hours(1));
    case 'M':
      return times(std::chrono::minutes(1));
    case 'S':
      return times(std::chrono::seconds(1));
    case 'm':
      return times(std::chrono::milliseconds(1));
    case 'u':
      return times(std::chrono::microseconds(1));
    case 'n':
      return times(Duration(1));
    default:
      return std::nullopt;
  }
}

bool GrpcCodes::contains(std::string_view status) const {
  constexpr std::uint64_t kLast = 16;
  const std::optional<std::uint64_t> code = number(status);
  return code && *code <= kLast && (codes_ >> *code & 1) == 1;
}

std::string_view grpc_status_of(int status) {
  switch (status) {
    case 400:
      return "13";
    case 401:
      return "16";
    case 403:
      return "7";
    case 404:
      return "12";
    case 408:
    case 504:
      return "4";
    case 429:
    case 502:
    case 503:
      return "14";
    default:
      return "2";
  }
}

}  // namespace hone::mesh
