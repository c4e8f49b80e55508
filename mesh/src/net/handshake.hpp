// The handshake of a TLS connection, until it is done or its time is over.
#pragma once

#include <memory>
#include <string_view>

#include "event/loop.hpp"
#include "net/tls_transport.hpp"

namespace hone::mesh {

// Handshake calls one of its events once, during start or later. Its owner destroys it by a task of the loop.
class Handshake {
 public:
  struct Events {
    Delegate<void(std::unique_ptr<TlsTransport>)> done;
    // The handshake failed, for this reason: a text that stays valid.
    Delegate<void(std::string_view)> failed;
  };

  Handshake(Loop& loop, std::unique_ptr<TlsTransport> transport, Moment deadline, Events events);
  ~Handshake() { stop(); }

  void start();
  // Gives up. No event is called any more.
  void stop();

 private:
  void on_ready(Ready) { go_on(); }
  void on_timeout() { finish("timeout"); }
  void go_on();
  void finish(std::string_view failure);

  Loop& loop_;
  std::unique_ptr<TlsTransport> transport_;
  const Events events_;
  const Moment deadline_;
  Watch watch_;
  Timer timer_;
};

}  // namespace hone::mesh
