// Files that are read as a whole.
#pragma once

#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace hone::mesh {

// Returns what a file holds; nothing where it cannot be read, and errno says why.
inline std::optional<std::string> text_of_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  // Of an empty file nothing is copied, which counts as a failure.
  const bool is_empty = file.peek() == std::ifstream::traits_type::eof() && errno == 0;
  if (is_empty || text << file.rdbuf()) return text.str();
  if (errno == 0) errno = EIO;
  return std::nullopt;
}

}  // namespace hone::mesh
