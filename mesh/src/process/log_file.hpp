// Where the lines of the access log go: a file that may be moved away, or the standard output.
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

  // Opens the path anew, where another file may be now; goes on with the old one where that fails.
  void reopen();
  // Writes all that workers have handed over.
  void write_all(TextRing& ring);

 private:
  static Descriptor opened(const std::string& path);

  std::string path_;
  Descriptor file_;
};

}  // namespace hone::mesh
