// Words of hone-mesh's configuration, and what several parts are made of.
#include <charconv>
#include <cmath>

#include "base/hash.hpp"
#include "base/text.hpp"
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
  constexpr std::size_t kLongest = 64;
  constexpr std::size_t kNumber = 17;
  std::string made = name;
  for (char& byte : made) {
    const bool is_letter = is_digit(byte) || (lower(byte) >= 'a' && lower(byte) <= 'z');
    if (!is_letter && byte != '-' && byte != '_' && byte != '.') byte = '_';
  }
  if (made == name && name.size() <= kLongest) return name;
  char number[kNumber + 1];
  std::snprintf(number, sizeof number, "-%016llx", static_cast<unsigned long long>(hash_of(name)));
  return made.substr(0, kLongest - kNumber) + number;
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

}  // namespace hone::mesh::envoy
