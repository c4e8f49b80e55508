// Bytes of one connection, whatever carries them.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <span>

#include "event/loop.hpp"
#include "hone/shm/descriptor.hpp"

namespace hone::mesh {

// Transfer is what came of a read or write that does not wait. No bytes and no error of a read are the end.
using shm::Transfer;

// Transport is implemented by sockets (socket.hpp), by TLS over another one (tls_transport.hpp), by memory that is
// shared with another process (shared_transport.hpp), and by a mock in tests. It closes the connection with itself.
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
  // Returns the descriptor whose readiness is that of the transport, if it is any descriptor's.
  virtual int descriptor() const = 0;
  // Has whoever reads and writes told by its watch, of that descriptor, that the transport is ready: see Loop.
  virtual void watch(Loop& loop, Watch& watch, Ready interest) { loop.watch(watch, interest); }
  virtual void forget(Loop& loop, Watch& watch) { loop.forget(watch); }
};

}  // namespace hone::mesh
