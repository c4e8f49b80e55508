// HTTP/1 towards a client: requests one after the other on a connection, also where they come all at once.
//
//     idle -> head -> body -> waiting -> idle      a request ends before its response
//             head -> discarding -> idle           a response ends before its request: the rest is thrown away
//             any  -> lingering -> closed          a refused request, or the last one: the client may read its answer
//             head -> asking -> tunnel -> lingering    WebSocket, once it is agreed to; earlier bytes wait unread
//
// Requests that follow wait in the buffer until the response before them is written; reading stops when it is full.
#pragma once

#include <memory>
#include <optional>

#include "http/exchange.hpp"
#include "net/channel.hpp"
#include "wire/http1/encoder.hpp"
#include "wire/http1/parser.hpp"

namespace hone::mesh::http1 {

// ServerLimits bounds the resources that a client may use.
struct ServerLimits {
  std::size_t fields = 100;
  // From the first byte of a head to its last.
  Duration head = std::chrono::seconds(10);
  // Between two requests.
  Duration idle = std::chrono::seconds(60);
  // Between two bytes of a body, in or out.
  Duration stall = std::chrono::seconds(30);
  // Without a byte either way on a connection of TCP or WebSocket.
  Duration tunnel = std::chrono::hours(1);
};

// ServerEvents are calls to the owner of a connection.
struct ServerEvents {
  // Opens an exchange, and returns the sink that takes the request.
  Delegate<MessageSink*(Exchange&)> open;
  // A request was refused before it could be opened.
  Delegate<void(const Fault&)> refused;
  // The first bytes of a client of another protocol, such as HTTP/2's preface. Empty where no other protocol is known.
  std::string_view greeting;
  // The client began with the greeting. The owner gives the connection to the other protocol with give_up now, or the
  // greeting is refused.
  Delegate<void()> greeted;
  // The connection has ended. Its owner destroys it by a task of the loop.
  Delegate<void()> ended;
};

// ServerConnection is a client's connection, and the exchange of the request that is under way on it.
class ServerConnection final : public Exchange {
 public:
  ServerConnection(Loop& loop, BufferPool& buffers, BlockPool& blocks, std::unique_ptr<Transport> transport,
                   const ServerLimits& limits, ServerEvents events);

  // Begins to read.
  void start();
  // Ends the connection with the request that is under way, at once where there is none.
  void drain();
  // Ends the connection with the next response that has not begun yet, and tells the client so.
  void retire() { is_retiring_ = true; }
  // Ends the connection now.
  void close();
  // Returns the transport for another wire, which takes over the input. The connection calls its owner no more.
  std::unique_ptr<Transport> give_up();
  // Returns the time since which this side has waited for the client; nothing where the client waits, or in a tunnel.
  std::optional<Moment> stands_since() const;
  std::string_view input() const { return channel_.input(); }

  void write_head(const Head& head) override;
  void write_body(Slice slice) override;
  void write_end(const Headers& trailers) override;
  void reset(Reset reason) override;
  void set_reading(bool is_reading) override;
  std::size_t waiting() const override { return channel_.waiting(); }
  Arena& arena() override { return arena_; }

 private:
  enum class State : std::uint8_t { kIdle, kHead, kBody, kWaiting, kAsking, kTunnel, kDiscarding, kLingering, kClosed };

  void on_readable();
  void on_flushed(bool has_room_again);
  void on_timer();
  void on_body(std::string_view part);

  void process();
  bool is_greeting();
  void discard();
  void on_head();
  void on_end();
  void end_exchange();
  void refuse(const Fault& fault);
  void linger();
  void close_idle();
  void on_input_end(bool is_said);
  void pass_on();
  // Returns the time at which nothing has moved for `longest`.
  Moment quiet_for(Duration longest) const;
  void set_timer();

  const ServerLimits& limits_;
  ServerEvents events_;
  Arena arena_;
  Channel channel_;
  Parser parser_;
  Timer timer_;
  Task next_;

  MessageSink* sink_ = nullptr;
  State state_ = State::kIdle;
  Framing framing_ = Framing::kNone;
  Moment since_;
  std::size_t discarded_ = 0;
  bool is_processing_ = false;
  bool is_first_ = true;
  bool is_reading_ = true;
  bool has_written_head_ = false;
  bool is_to_head_ = false;
  bool is_http_1_1_ = true;
  bool closes_after_ = false;
  bool awaits_continue_ = false;
  bool is_draining_ = false;
  bool is_retiring_ = false;
  bool has_shut_writes_ = false;
  // True if the client's side of a tunnel has ended.
  bool has_input_end_ = false;
};

}  // namespace hone::mesh::http1
