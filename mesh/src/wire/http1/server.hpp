// HTTP/1 towards a client: requests one after the other on a connection, also where they come all at once.
//
//     idle -> head -> body -> waiting -> idle      a request ends before its response
//             head -> discarding -> idle           a response ends before its request: the rest is thrown away
//             any  -> lingering -> closed          a refused request, or the last one: the client may read its answer
//             head -> asking -> tunnel -> lingering    WebSocket, once it is agreed to; what comes before waits unread
//
// Requests that follow wait in the buffer until the response before them is written, and reading stops when it is full.
#pragma once

#include <memory>
#include <optional>

#include "http/exchange.hpp"
#include "net/channel.hpp"
#include "wire/http1/encoder.hpp"
#include "wire/http1/parser.hpp"

namespace hone::mesh::http1 {

// ServerLimits bounds what a client may take up.
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

// ServerEvents is what the owner of a connection is told.
struct ServerEvents {
  // Opens an exchange: returns who takes the request.
  Delegate<MessageSink*(Exchange&)> open;
  // A request was refused before it could be opened.
  Delegate<void(const Fault&)> refused;
  // What a client of another protocol says first, such as HTTP/2's preface. None where no other protocol is known.
  std::string_view greeting;
  // The client began with that: the connection may be given up for it. Its owner calls give_up now, or the greeting is
  // refused.
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
  // Ends the connection with the next response that has not begun yet, whose client is told so.
  void retire() { is_retiring_ = true; }
  // Ends the connection now.
  void close();
  // Gives the transport to another wire, with the bytes that were read. The connection tells nothing any more.
  std::unique_ptr<Transport> give_up();
  // Returns since when the client has been waited for; nothing where it is the client that waits, or in a tunnel.
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
  // Returns when nothing has moved for so long.
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
  // The client's side of a tunnel has ended.
  bool has_input_end_ = false;
};

}  // namespace hone::mesh::http1
