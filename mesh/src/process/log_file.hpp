// The output of the access log: a file that may be moved away, or the standard output.
#pragma once

#include <string>

#include "net/descriptor.hpp"
#include "observe/access_log.hpp"

namespace hone::mesh {

// LogFile is written by the main thread.
class LogFile {
 public:
  // Opens the file to append to it. Throws std::system_error with its path.
  explicit LogFile(std::string path);

  // Opens the path again, where another file may be now. Where that fails, it goes on with the old file.
  void reopen();
  // Writes all lines that a worker has handed over.
  void write_all(TextRing& ring);

 private:
  static Descriptor opened(const std::string& path);

  std::string path_;
  Descriptor file_;
};

}  // namespace hone::mesh
