// A client's connection with the streams on it: first the handshake of TLS, if there is one. Then HTTP/2 where both
// sides agreed on it, or else HTTP/1, and HTTP/2 where the client greets with it. On a listener of Thrift it is Thrift,
// and on one of TCP a tunnel.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/handshake.hpp"
#include "net/socket.hpp"
#include "stream/stream.hpp"
#include "stream/tunnel.hpp"
#include "wire/http1/server.hpp"
#include "wire/http2/connection.hpp"
#include "wire/thrift/connection.hpp"

namespace hone::mesh {

// Session keeps the limits that were in force when its connection came. Its requests are served by the specification
// that the listener has when they come.
class Session {
 public:
  // `ended` is called once; the session is destroyed by a task of the loop.
  Session(Surroundings& around, Held<Listener> listener, const Address& peer, Delegate<void(Session&)> ended);
  ~Session();

  void start(Descriptor socket);
  // Ends the connection after the requests that are under way, at once where there are none.
  void drain();
  // Ends the connection as soon as that costs its client nothing: HTTP/1 with the next response, and tunnels when they
  // end by themselves.
  void retire();
  void close();
  // Closes the connection to have its memory back, and logs and counts this.
  void shed();
  // Returns the time since which this side has waited for the client; nothing where the client waits, or in a tunnel.
  std::optional<Moment> stands_since() const;

  const Listener& listener() const { return *listener_; }

  // The index in the owner's list.
  std::size_t place = 0;

 private:
  void shake_hands(std::unique_ptr<Transport> transport);
  void on_shaken(std::unique_ptr<TlsTransport> transport);
  void on_unshaken(std::string_view why);
  void begin(std::unique_ptr<Transport> transport);
  void begin_http1(std::unique_ptr<Transport> transport);
  void begin_http2(std::unique_ptr<Transport> transport, std::string_view already_read);
  void begin_thrift(std::unique_ptr<Transport> transport);

  MessageSink* open(Exchange& exchange) { return Stream::open(around_, client_, exchange); }
  void refused(const http1::Fault& fault);
  void refused_thrift(std::string_view why) { refused({.status = 400, .detail = why}); }
  void log_refusal(int status, Flag flag, std::string_view detail);
  void greeted() { begin_http2(http1_->give_up(), http1_->input()); }
  void on_ended() { ended_(*this); }
  void on_http2_ended(http2::Connection&) { ended_(*this); }
  void on_thrift_ended(thrift::Connection&) { ended_(*this); }

  Surroundings& around_;
  const Held<Listener> listener_;
  const std::string address_;
  Client client_;
  const Delegate<void(Session&)> ended_;
  const std::shared_ptr<const TlsContext> tls_;
  // The identity of the client, which streams use.
  std::string identity_;
  const Duration handshake_time_;
  const std::shared_ptr<std::atomic<std::uint32_t>> connections_open_;
  const http1::ServerLimits http1_limits_;
  http2::Limits http2_limits_;
  thrift::Limits thrift_limits_;
  std::unique_ptr<Handshake> handshake_;
  std::optional<http1::ServerConnection> http1_;
  std::optional<http2::Connection> http2_;
  std::optional<thrift::Connection> thrift_;
  std::unique_ptr<Tunnel> tunnel_;
  Moment began_;
  bool is_retiring_ = false;
};

}  // namespace hone::mesh
