#pragma once

#include <string_view>

namespace mesh {

/// Where finished bytes go: a socket, a log file, a checksum.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
};

}  // namespace mesh
