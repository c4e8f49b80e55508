// The texts of hone-mesh's configuration, and readers that several parts share.
#include <charconv>
#include <cmath>

#include "base/hash.hpp"
#include "base/hex.hpp"
#include "config/name.hpp"
#include "envoy/parts.hpp"

namespace hone::mesh::envoy {

std::string whole(double number) {
  return std::to_string(static_cast<std::uint64_t>(std::llround(number)));
}

std::string fraction(double number) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed).ptr;
  return std::string(text, end);
}

std::string name_of(const std::string& name) {
  if (name.empty() || config::is_name(name)) return name;
  constexpr std::size_t kDigits = 16;
  std::string made = name.substr(0, config::kLongestName - kDigits - 1);
  for (char& byte : made) {
    if (!config::is_name_byte(byte)) byte = '_';
  }
  char digits[kDigits];
  write_hex(hash_of(name), kDigits, digits);
  return made.append("-").append(digits, kDigits);
}

std::string literal(const std::string& text) {
  std::string expression;
  for (const char byte : text) {
    if (std::string_view("\\.+*?()|[]{}^$").find(byte) != std::string_view::npos) expression.push_back('\\');
    expression.push_back(byte);
  }
  return expression;
}

std::optional<std::string> address_of(std::optional<Fields> address) {
  if (!address) return std::nullopt;
  if (auto pipe = address->message("pipe")) return "unix:" + pipe->text("path").value_or("");
  auto socket = address->message("socket_address");
  if (!socket) return std::nullopt;
  socket->pass_over({"resolver_name"});
  if (const auto protocol = socket->word("protocol"); protocol && *protocol != "TCP") {
    socket->refuse("protocol", "only TCP is spoken");
  }
  const std::string host = socket->text("address").value_or("");
  const std::string port = whole(socket->number("port_value").value_or(0));
  return host.find(':') == host.npos ? host + ":" + port : "[" + host + "]:" + port;
}

std::optional<std::string> file_of_source(Fields source) {
  source.pass_over({"resource_api_version", "initial_fetch_timeout"});
  if (auto ads = source.message("ads")) {
    ads->pass_over_all();
    return std::nullopt;
  }
  auto file = source.message("path_config_source");
  const auto path = file ? file->text("path") : std::nullopt;
  if (path) {
    // Files are always looked at again, without this setting.
    file->pass_over({"watched_directory"});
  } else {
    source.refuse_whole("resources come by ads or from files: write ads: {} or path_config_source");
  }
  return path;
}

}  // namespace hone::mesh::envoy
