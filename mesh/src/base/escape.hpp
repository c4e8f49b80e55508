// Text from outside, escaped to stand within quotes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace hone::mesh {

// Beyond is the meaning of bytes beyond ASCII: letters of Latin-1, or parts of UTF-8, which stay as they are in JSON.
enum class Beyond : std::uint8_t { kLatin1, kUtf8 };

// Appends text with JSON's escapes, so that no quote or line end in it ends the text around it.
inline void append_escaped(std::string& to, std::string_view text, Beyond beyond = Beyond::kLatin1) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      to.append({'\\', c});
    } else if (byte < 0x20 || byte == 0x7f || (byte > 0x7f && beyond == Beyond::kLatin1)) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", byte);
      to.append(code);
    } else {
      to.push_back(c);
    }
  }
}

}  // namespace hone::mesh
