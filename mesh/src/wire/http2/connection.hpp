// HTTP/2 (RFC 9113) on either side: a connection with many exchanges.
//
// Bytes to be sent wait in their streams, and are put into frames by turns, as windows allow, until as many wait for
// the kernel as one write takes: so a stream that is reset takes its bytes with it, and no stream starves another. A
// stream whose sink is full gets no more window. The window of the connection is given back at once, so that one stream
// that stands does not hold up the others; the bytes that all of them may keep are bounded by the number of streams.
//
// A client that makes work for nothing (streams that it resets at once, pings, settings, empty frames, malformed
// requests) spends an allowance that grows with time, and its connection ends when that is spent.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "event/graveyard.hpp"
#include "http/exchange.hpp"
#include "net/channel.hpp"
#include "wire/http2/frame.hpp"
#include "wire/http2/hpack.hpp"

namespace hone::mesh::http2 {

class Connection;

// Limits bounds the resources that the other side may use.
struct Limits {
  std::size_t fields = 100;
  std::uint32_t streams = 100;
  // Between the first byte and the last of a head.
  Duration head = std::chrono::seconds(10);
  // Without any stream.
  Duration idle = std::chrono::seconds(60);
  // While bytes wait that the other side does not take, or that it announced and does not send.
  Duration stall = std::chrono::seconds(30);
  // Without a byte either way on a stream of WebSocket.
  Duration tunnel = std::chrono::hours(1);
};

// Events are calls to the owner of a connection.
struct Events {
  // For a server: a request has come. Returns the sink that takes the request.
  Delegate<MessageSink*(Exchange&)> open;
  // For a client: a stream has ended, so that there is room for another one.
  Delegate<void(Connection&)> room;
  // The connection has ended. Its owner destroys it by a task of the loop.
  Delegate<void(Connection&)> ended;
};

// Connection is either side of one connection.
class Connection {
 public:
  enum class Side : std::uint8_t { kServer, kClient };

  Connection(Side side, Loop& loop, BufferPool& buffers, BlockPool& blocks, std::unique_ptr<Transport> transport,
             const Limits& limits, Events events);
  ~Connection();

  // Sends the opening of the connection, and begins to read: first the bytes that another wire has read already.
  void start(std::string_view already_read = {});
  // Ends the connection with its last stream. A client takes no more streams at once. A server first announces that it
  // will not take more, and still takes those that are on their way: until its ping is answered, for a second at most.
  void drain();
  void close() { end(Reset::kClosed); }

  // For a client: begins an exchange. Returns nullptr where there is no room for one now.
  Exchange* open(MessageSink& sink);
  bool has_room() const;
  bool is_ending() const { return is_ending_ || is_closed_; }
  std::size_t streams() const { return streams_.size(); }
  Moment idle_since() const { return channel_.last_moved(); }
  // Returns the time since which this side has waited for the other; nothing where the other side waits.
  std::optional<Moment> stands_since() const {
    if (!streams_.empty() && !is_waiting()) return std::nullopt;
    return channel_.last_moved();
  }

 private:
  class Stream;
  friend class Stream;

  // The bytes that the other side may send on all streams together without being read: many windows of streams.
  static constexpr std::uint32_t kConnectionWindow = 1 << 20;
  // The bytes of answers that a client has asked for and does not take, such as those to pings.
  static constexpr std::size_t kMostUnread = 256 * 1024;
  // The full allowance for useless work. It begins full, and grows with each second, and with each request.
  static constexpr double kMostAllowance = 1000;

  // Input (input.cpp).
  void on_readable();
  void process();
  bool take(const Piece& piece);
  bool begin_frame();
  bool take_payload(std::string_view payload);
  bool end_frame();
  bool begin_block();
  bool end_block();
  void take_trailers(Stream& stream);
  void take_head(Stream& stream);
  // Tells that the other side's message has ended.
  void end_message(Stream& stream, const Headers& trailers);
  bool take_data(std::string_view payload);
  bool end_data();
  bool take_settings(std::string_view payload);
  bool take_setting(Setting setting, std::uint32_t value);
  bool take_window_update(std::uint32_t increment);
  void take_go_away(std::string_view payload);
  Stream* find(std::uint32_t id);
  bool is_idle(std::uint32_t id) const;
  bool was_reset(std::uint32_t id) const;

  // Output.
  void pump();
  void on_flushed(bool has_room_again);
  void write_block(std::uint32_t stream, std::string_view block, bool is_end);
  void send_later() { channel_.loop().at_turn_end(pump_); }
  void want_to_send(Stream& stream);

  // Ends.
  // Ends one stream, and tells its sink.
  void reset_stream(Stream& stream, Code code, Reset reason);
  // Removes one stream, or all, and tells the sinks.
  void drop(Stream& stream, Reset reason);
  void drop_all(Reset reason);
  void remove(Stream& stream);
  // Ends the connection, and tells the other side why. Returns false, so that reading stops.
  bool fail(Code code);
  void end(Reset reason);
  void say_farewell();
  bool spend(int cost);
  void on_timer();
  // True after the other side was told that no more streams are wanted, and before the last stream is taken.
  bool is_warning() const { return is_warned_ && !is_ending_; }
  // True while the other side has to take or to send something.
  bool is_waiting() const;
  Moment deadline() const;
  bool end_quiet_tunnels();
  void set_timer();

  const Side side_;
  const Limits& limits_;
  Events events_;
  BlockPool& blocks_;
  Channel channel_;
  FrameReader reader_;
  Encoder encoder_;
  Decoder decoder_;
  Timer timer_;
  Task pump_;

  std::map<std::uint32_t, std::unique_ptr<Stream>> streams_;
  Graveyard<Stream> graveyard_;
  // Streams with something to send and a window for it, by turns.
  std::vector<std::uint32_t> sending_;

  // The block that is being read: its stream, which may have ended already.
  std::uint32_t block_stream_ = 0;
  bool is_in_block_ = false;
  bool block_ends_stream_ = false;
  std::size_t block_bytes_ = 0;
  Moment block_began_;
  Headers block_fields_;
  std::unique_ptr<Stream> nowhere_;

  std::uint32_t last_peer_stream_ = 0;
  std::uint32_t next_own_stream_ = 1;
  // Streams that this side has reset last, on which the other one may still have sent something.
  std::array<std::uint32_t, 32> reset_last_{};
  std::size_t resets_ = 0;
  std::int64_t send_window_ = kDefaultWindow;
  std::int64_t receive_window_ = 0;
  std::uint32_t unacknowledged_ = 0;
  std::uint32_t peer_window_ = kDefaultWindow;
  std::uint32_t peer_max_frame_ = kMaxFrame;
  std::uint32_t peer_streams_ = 100;
  Moment last_read_;
  Moment failed_at_;
  double allowance_ = 0;
  Moment allowance_at_;
  std::size_t preface_left_ = 0;
  bool has_settings_ = false;
  // True once the other side was told that no more streams are wanted.
  bool is_warned_ = false;
  Moment warned_at_;
  bool is_ending_ = false;
  bool is_failing_ = false;
  bool has_shut_writes_ = false;
  bool is_closed_ = false;
};

}  // namespace hone::mesh::http2
