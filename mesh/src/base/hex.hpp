// Numbers as hexadecimal digits of a fixed length.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hone::mesh {

// Writes the last `digits` digits of a value, in lower case, with zeros before it.
inline void write_hex(std::uint64_t value, std::size_t digits, char* to) {
  for (std::size_t at = digits; at > 0; value >>= 4) to[--at] = "0123456789abcdef"[value & 15];
}

// Returns the value of a digit in either case; nothing where the character is no digit.
constexpr std::optional<std::uint8_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint8_t>(c - 'A' + 10);
  return std::nullopt;
}

}  // namespace hone::mesh
