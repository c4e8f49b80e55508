#include "process/log_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <system_error>

#include "base/file.hpp"

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
  while (ring.pop(buffer)) {
    // A full disk takes nothing, and there is nobody to tell but the log.
    mesh::write_all(file_.get(), buffer);
  }
}

}  // namespace hone::mesh
