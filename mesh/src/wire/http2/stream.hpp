// One stream of a connection of HTTP/2, and its exchange.
#pragma once

#include <vector>

#include "base/recycled.hpp"
#include "wire/http2/connection.hpp"

namespace hone::mesh::http2 {

// Stream is destroyed by a task once it has ended.
class Connection::Stream final : public Exchange, public Recycled<Connection::Stream> {
 public:
  Stream(Connection& connection, std::uint32_t id);

  void write_head(const Head& head) override;
  void write_body(Slice slice) override;
  void write_end(const Headers& trailers) override;
  void reset(Reset reason) override;
  void set_reading(bool is_reading) override;
  std::size_t waiting() const override { return pending_bytes_; }
  Arena& arena() override { return arena_; }

 private:
  friend class Connection;

  // Upgrade is the state of a server's stream on its way to WebSocket, whose bytes come after the agreement.
  enum class Upgrade : std::uint8_t { kNone, kAsked, kAgreed };

  void answer_wish(const Head& head);
  // Puts as many bytes into frames as the windows and `most` allow. Returns true where bytes are left that may be sent
  // now.
  bool send(std::size_t most);
  void end_locally();
  bool has_to_send() const { return pending_bytes_ > 0 || has_end_to_send_; }
  void give_window_back();

  Connection& connection_;
  const std::uint32_t id_;
  const Moment began_;
  // The time of the last byte of WebSocket in either direction.
  Moment moved_;
  Upgrade upgrade_ = Upgrade::kNone;
  Arena arena_;
  MessageSink* sink_ = nullptr;

  // Parts of the body from first_ on wait for windows.
  std::vector<Slice> pending_;
  std::size_t first_ = 0;
  std::size_t pending_bytes_ = 0;
  Headers trailers_;
  bool has_end_to_send_ = false;
  bool is_sending_ = false;
  bool was_above_ = false;

  std::int64_t send_window_;
  std::int64_t receive_window_ = kDefaultWindow;
  // Bytes that were passed on, and whose window was not given back yet.
  std::uint32_t consumed_ = 0;

  // The bytes of the body that are still to come by the other side's length; zero where it gave none.
  std::uint64_t body_left_ = 0;
  bool is_sized_ = false;
  bool is_reply_to_head_ = false;
  bool has_head_ = false;
  bool has_written_head_ = false;
  bool is_reading_ = true;
  bool is_remote_ended_ = false;
  bool is_local_ended_ = false;
  bool is_gone_ = false;
};

}  // namespace hone::mesh::http2
