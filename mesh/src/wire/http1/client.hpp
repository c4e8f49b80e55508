// HTTP/1 towards a server: one exchange after the other on a connection, for as long as both sides keep it.
#pragma once

#include <memory>
#include <string>

#include "http/exchange.hpp"
#include "net/channel.hpp"
#include "wire/http1/encoder.hpp"
#include "wire/http1/parser.hpp"

namespace hone::mesh::http1 {

class ClientConnection;

// The largest number of fields that a response may have.
inline constexpr std::size_t kMostResponseFields = 200;

// ClientEvents are calls to the owner of a connection.
struct ClientEvents {
  // The exchange is over, and the connection is good for another one.
  Delegate<void(ClientConnection&)> idle;
  // The connection has ended. Its owner destroys it by a task of the loop.
  Delegate<void(ClientConnection&)> ended;
};

// ClientConnection is a connection to an endpoint, and the exchange that is under way on it.
class ClientConnection final : public Exchange {
 public:
  ClientConnection(Loop& loop, BufferPool& buffers, BlockPool& blocks, std::unique_ptr<Transport> transport,
                   ClientEvents events);

  void start() { channel_.start(); }
  // Begins an exchange, whose response goes to the sink.
  void open(MessageSink& sink);
  // Ends the connection now.
  void close();
  bool is_open() const { return sink_ != nullptr; }
  // Time since which the connection has been idle.
  Moment idle_since() const { return channel_.last_moved(); }

  void write_head(const Head& head) override;
  void write_body(Slice slice) override;
  void write_end(const Headers& trailers) override;
  void reset(Reset reason) override;
  void set_reading(bool is_reading) override;
  std::size_t waiting() const override { return channel_.waiting(); }
  std::string_view fault() const override { return fault_; }
  Arena& arena() override { return arena_; }

 private:
  void on_readable();
  void on_flushed(bool has_room_again);
  void on_broken();
  void on_body(std::string_view part);

  void process();
  void on_head();
  void on_end();
  void on_input_end(bool is_said);
  void pass_on();
  bool is_proven(const Head& head) const;
  void end_with(Reset reason);
  Reset broken_reason() const;

  ClientEvents events_;
  Arena arena_;
  Channel channel_;
  Parser parser_;

  MessageSink* sink_ = nullptr;
  Framing framing_ = Framing::kNone;
  // The proof that the server agrees to WebSocket, where no client checks it itself.
  std::string proof_;
  // The fault of the response.
  std::string_view fault_;
  bool is_to_head_ = false;
  bool is_reading_ = true;
  bool was_used_ = false;
  bool has_response_ = false;
  bool is_informational_ = false;
  // True if the connection carries bytes of WebSocket.
  bool is_tunnel_ = false;
  bool has_shut_writes_ = false;
  // True if nothing of a request is still to be written.
  bool has_written_end_ = true;
  bool is_closed_ = false;
};

}  // namespace hone::mesh::http1
