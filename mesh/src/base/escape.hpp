// Text from outside within quotes.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace hone::mesh {

// Appends text as JSON has it, so that neither a quote nor a line end of it ends anything. Bytes beyond ASCII are taken
// for Latin-1.
inline void append_escaped(std::string& to, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      to.append({'\\', c});
    } else if (byte < 0x20 || byte >= 0x7f) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", byte);
      to.append(code);
    } else {
      to.push_back(c);
    }
  }
}

}  // namespace hone::mesh
