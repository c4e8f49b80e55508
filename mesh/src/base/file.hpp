// Files that are read or written as a whole.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace hone::mesh {

// FileStamp shows whether a file is still the one that was read.
struct FileStamp {
  dev_t device = 0;
  ino_t number = 0;
  off_t size = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FileStamp&) const = default;
  // Returns the stamp of a file; all is zero where the file is not there.
  static FileStamp of(const std::string& path) {
    struct stat file{};
    if (::stat(path.c_str(), &file) != 0) return {};
    return {.device = file.st_dev,
            .number = file.st_ino,
            .size = file.st_size,
            .changed_ns = file.st_mtim.tv_sec * 1'000'000'000 + file.st_mtim.tv_nsec};
  }
};

// Returns the content of a file; nothing where it cannot be read, and errno has the reason.
inline std::optional<std::string> text_of_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  // An empty file has nothing to copy, which counts as a failure.
  const bool is_empty = file.peek() == std::ifstream::traits_type::eof() && errno == 0;
  if (is_empty || text << file.rdbuf()) return text.str();
  if (errno == 0) errno = EIO;
  return std::nullopt;
}

// Writes all of a text. Returns false where the file takes no more, and errno has the reason.
inline bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace hone::mesh
