// A client's connection with the streams on it: HTTP/1 at first, and HTTP/2 where the client greets by it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/socket.hpp"
#include "stream/stream.hpp"
#include "wire/http1/server.hpp"
#include "wire/http2/connection.hpp"

namespace hone::mesh {

// Session keeps the configuration that its connection came in under, whatever the worker has meanwhile.
class Session {
 public:
  // `ended` is called once; the session is destroyed by a task of the loop.
  Session(Surroundings& around, std::shared_ptr<const Snapshot> snapshot, std::size_t listener, Accepted accepted,
          Delegate<void(Session&)> ended);
  ~Session();

  void start() { http1_.start(); }
  void drain();
  void close();

  // Place in the owner's list.
  std::size_t place = 0;

 private:
  MessageSink* open(Exchange& exchange) { return Stream::open(around_, client_, exchange); }
  void refused(const http1::Fault& fault);
  void greeted();
  void on_ended() { ended_(*this); }
  void on_http2_ended(http2::Connection&) { ended_(*this); }

  Surroundings& around_;
  const std::shared_ptr<const Snapshot> snapshot_;
  const std::string address_;
  Client client_;
  const Delegate<void(Session&)> ended_;
  http1::ServerConnection http1_;
  http2::Limits http2_limits_;
  std::optional<http2::Connection> http2_;
};

}  // namespace hone::mesh
