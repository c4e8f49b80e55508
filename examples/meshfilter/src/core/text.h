#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mesh {

char lowerAscii(char c);
bool equalsIgnoreCase(std::string_view a, std::string_view b);
bool containsIgnoreCase(std::string_view text, std::string_view part);
std::string_view trimBlanks(std::string_view text);

/// Reads a decimal number that fills the whole text; nothing on an empty text or overflow.
std::optional<uint64_t> parseDecimal(std::string_view text);

void appendDecimal(std::string& out, uint64_t value);
/// Appends `value` with leading zeros up to `width` digits.
void appendPadded(std::string& out, uint64_t value, unsigned width);
void appendHex(std::string& out, uint64_t value, unsigned digits);

/// Value of one hexadecimal digit, or -1.
int hexDigit(char c);

std::string encodeBase64Url(std::string_view bytes);
/// Appends the decoded bytes; false on a byte outside the alphabet or an impossible length.
bool decodeBase64Url(std::string_view text, std::string& out);

/// Cuts the text at the first `separator`, returns the part before it and leaves the rest.
std::string_view cutToken(std::string_view& rest, char separator);

}  // namespace mesh
