#include "route/match.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "http/target.hpp"

namespace hone::mesh {
namespace {

bool matches_whole(const re2::RE2& regex, std::string_view text) {
  return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), regex);
}

}  // namespace

bool TextMatch::matches(std::string_view value) const {
  switch (kind) {
    case Kind::kPresent:
      return true;
    case Kind::kExact:
      return value == text;
    case Kind::kPrefix:
      return value.starts_with(text);
    case Kind::kSuffix:
      return value.ends_with(text);
    case Kind::kRegex:
      return matches_whole(*regex, value);
  }
  return false;
}

bool FieldMatch::matches_header(const Headers& headers) const {
  const auto items = headers.items();
  const bool is_found = std::any_of(items.begin(), items.end(), [&](const Header& header) {
    return equal_ignoring_case(header.name, name) && value.matches(header.value);
  });
  return is_found != is_inverted;
}

bool FieldMatch::matches_query(std::string_view query) const {
  bool is_found = false;
  while (!query.empty() && !is_found) {
    std::string_view parameter = take_until(query, '&');
    const std::string_view found = take_until(parameter, '=');
    is_found = found == name && value.matches(parameter);
  }
  return is_found != is_inverted;
}

bool PathMatch::matches(std::string_view path) const {
  switch (kind) {
    case Kind::kExact:
      return path == text;
    case Kind::kPrefix:
      return path.starts_with(text) && (text.ends_with('/') || path.size() == text.size() || path[text.size()] == '/');
    case Kind::kRegex:
      return matches_whole(*regex, path);
  }
  return false;
}

bool RequestMatch::matches(const Head& head) const {
  if (!path.matches(path_of(head.path))) return false;
  if (!methods.empty() && std::find(methods.begin(), methods.end(), head.method) == methods.end()) return false;
  const auto has_header = [&](const FieldMatch& match) { return match.matches_header(head.headers); };
  if (!std::all_of(headers.begin(), headers.end(), has_header)) return false;
  const auto has_parameter = [&](const FieldMatch& match) { return match.matches_query(query_of(head.path)); };
  return std::all_of(query.begin(), query.end(), has_parameter);
}

}  // namespace hone::mesh
