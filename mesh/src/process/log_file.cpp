#include "process/log_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <system_error>

namespace hone::mesh {

LogFile::LogFile(std::string path) : path_(std::move(path)), file_(opened(path_)) {
  if (!file_) throw std::system_error(errno, std::generic_category(), path_);
}

Descriptor LogFile::opened(const std::string& path) {
  if (path == "-") return Descriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  return Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640));
}

void LogFile::reopen() {
  if (Descriptor fresh = opened(path_)) file_ = std::move(fresh);
}

void LogFile::write_all(TextRing& ring) {
  std::string buffer;
  while (ring.pop(buffer)) write(buffer);
}

void LogFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file_.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    // A full disk takes nothing, and there is nobody to tell but the log.
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace hone::mesh
