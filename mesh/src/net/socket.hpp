// Sockets that listen or connect, and the transport over a connected one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "net/address.hpp"
#include "net/descriptor.hpp"
#include "net/transport.hpp"

namespace hone::mesh {

// Writes the bytes to a connected socket that the kernel takes at once, in one call.
Transfer send_pieces(int socket, std::span<const iovec> pieces);

// SocketTransport is a connected stream socket, TCP or Unix, that never waits.
class SocketTransport final : public Transport {
 public:
  explicit SocketTransport(Descriptor socket) : socket_(std::move(socket)) {}

  Transfer read(std::span<char> into) override;
  Transfer write(std::span<const iovec> from) override { return send_pieces(socket_.get(), from); }
  void shut_writes() override;
  int descriptor() const override { return socket_.get(); }

 private:
  Descriptor socket_;
};

// Opens a socket that listens. Several may listen on one TCP address, and the kernel deals connections out to them.
// Throws std::system_error with the address.
Descriptor listen_on(const Address& address);

// Returns the address that a socket really listens on, where the kernel has chosen the port.
Address bound_address(int socket);

// Accepted is one connection that a listening socket had, or the system's error: EAGAIN where there is none.
struct Accepted {
  Descriptor socket;
  Address peer;
  int error = 0;
};
Accepted accept_from(int listening);

// Dialled is a socket that is writable once it is connected or has failed, or none and the error. dial begins to
// connect.
struct Dialled {
  Descriptor socket;
  int error = 0;
};
Dialled dial(const Address& address);

// Has the kernel ask the other side from time to time whether it is there, and end the connection within half a minute
// where it is not. Does nothing for Unix sockets.
void keep_alive(int socket);

// Returns the error of a socket that was connecting, 0 where it is connected.
int connect_error(int socket);

}  // namespace hone::mesh
