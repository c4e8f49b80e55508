// Bytes of one connection, whatever carries them.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <span>

#include "event/loop.hpp"
#include "hone/shm/descriptor.hpp"

namespace hone::mesh {

// Transfer is the result of a read or write that does not wait. A read of no bytes without an error is the end.
using shm::Transfer;

// Transport is implemented by sockets (socket.hpp), by TLS over another one (tls_transport.hpp), by memory that is
// shared with another process (shared_transport.hpp), and by a mock in tests. Its destructor closes the connection.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual Transfer read(std::span<char> into) = 0;
  // Writes as many bytes as there is room for, perhaps not all.
  virtual Transfer write(std::span<const iovec> from) = 0;
  // Tells the other side that nothing more will come.
  virtual void shut_writes() = 0;
  // True if the transport holds bytes that a further read returns, and that the descriptor does not report.
  virtual bool has_more() const { return false; }
  // Returns the descriptor whose readiness is that of the transport, if there is one.
  virtual int descriptor() const = 0;
  // Has a watch of that descriptor called when the transport is ready: see Loop.
  virtual void watch(Loop& loop, Watch& watch, Ready interest) { loop.watch(watch, interest); }
  virtual void forget(Loop& loop, Watch& watch) { loop.forget(watch); }
};

}  // namespace hone::mesh
