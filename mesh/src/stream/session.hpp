// A client's connection with the streams on it.
#pragma once

#include <memory>
#include <string>

#include "net/socket.hpp"
#include "stream/stream.hpp"
#include "wire/http1/server.hpp"

namespace hone::mesh {

// Session keeps the configuration that its connection came in under, whatever the worker has meanwhile.
class Session {
 public:
  // `ended` is called once; the session is destroyed by a task of the loop.
  Session(Surroundings& around, std::shared_ptr<const Snapshot> snapshot, std::size_t listener, Accepted accepted,
          Delegate<void(Session&)> ended);
  ~Session();

  void start() { wire_.start(); }
  void drain() { wire_.drain(); }
  void close() { wire_.close(); }

  // Place in the owner's list.
  std::size_t place = 0;

 private:
  MessageSink* open(Exchange& exchange) { return Stream::open(around_, client_, exchange); }
  void refused(const http1::Fault& fault);
  void on_ended() { ended_(*this); }

  Surroundings& around_;
  const std::shared_ptr<const Snapshot> snapshot_;
  const std::string address_;
  const Client client_;
  const Delegate<void(Session&)> ended_;
  http1::ServerConnection wire_;
};

}  // namespace hone::mesh
