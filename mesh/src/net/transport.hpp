// Bytes of one connection, whatever carries them.
#pragma once

#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <span>

namespace hone::mesh {

// Transfer is what came of a read or write that does not wait. No bytes and no error of a read are the end.
struct Transfer {
  std::size_t bytes = 0;
  // The system's number, 0 where there is no error.
  int error = 0;

  bool would_block() const { return error == EAGAIN; }
  bool is_end() const { return bytes == 0 && error == 0; }
};

// Transport is implemented by sockets (socket.hpp), by TLS over another one (tls_transport.hpp), and by a mock in
// tests. It closes the connection with itself.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual Transfer read(std::span<char> into) = 0;
  // Writes as much as there is room for, and may take less than all.
  virtual Transfer write(std::span<const iovec> from) = 0;
  // Tells the other side that nothing more will come.
  virtual void shut_writes() = 0;
  // True if the transport holds bytes that a further read returns, of which the descriptor does not tell.
  virtual bool has_more() const { return false; }
  // Returns the descriptor whose readiness is that of the transport.
  virtual int descriptor() const = 0;
};

}  // namespace hone::mesh
