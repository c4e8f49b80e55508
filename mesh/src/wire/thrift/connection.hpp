// Thrift on either side: a connection with calls in frames or behind TTHeaders.
//
// A message is written when all of it has come, since nothing may come between its parts. So a caller or an endpoint
// that breaks off in the middle of a message harms no other call, and a call whose answer broke off is told so.
//
// Calls behind a TTHeader are answered as their answers come. Those in bare frames are taken one after the other, since
// their callers count on the order.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "event/graveyard.hpp"
#include "http/exchange.hpp"
#include "net/channel.hpp"
#include "wire/thrift/envelope.hpp"

namespace hone::mesh::thrift {

class Connection;

// Limits bounds what the other side may take up.
struct Limits {
  // Bytes of a message.
  std::uint32_t message = 16 << 20;
  std::size_t facts = 100;
  // Calls that are under way. A client's connection with more than one is shared by them.
  std::uint32_t calls = 100;
  // Between the first byte and the last of what is before a body.
  Duration head = std::chrono::seconds(10);
  // Without any call.
  Duration idle = std::chrono::seconds(60);
  // While bytes wait that the other side does not take, or that it announced and does not send.
  Duration stall = std::chrono::seconds(30);
};

// Events is what the owner of a connection is told.
struct Events {
  // A server's: a call has come. Returns who takes it.
  Delegate<MessageSink*(Exchange&)> open;
  // A server's: what has come is no call, for this reason, and ends the connection.
  Delegate<void(std::string_view)> refused;
  // A client's: a call has ended, so that there is room for another one.
  Delegate<void(Connection&)> room;
  // The connection has ended. Its owner destroys it by a task of the loop.
  Delegate<void(Connection&)> ended;
};

// Connection is either side of one connection.
class Connection {
 public:
  enum class Side : std::uint8_t { kServer, kClient };

  // The carrier is a client's: a server answers in that of the call.
  Connection(Side side, Carrier carrier, Loop& loop, BufferPool& buffers, BlockPool& blocks,
             std::unique_ptr<Transport> transport, const Limits& limits, Events events);
  ~Connection();

  void start();
  // Takes no more calls than those that are on their way, and ends with the last one.
  void drain();
  void close() { end(Reset::kClosed); }
  // Returns since when the other side has been waited for; nothing where it is the other side that waits.
  std::optional<Moment> stands_since() const {
    if (!calls_.empty() && channel_.waiting() == 0) return std::nullopt;
    return channel_.last_moved();
  }

  // A client's: begins an exchange. Nullptr where there is no room for one now.
  Exchange* open(MessageSink& sink);
  bool has_room() const { return !is_draining_ && !is_closed_ && calls_.size() < limits_.calls; }

 private:
  class Call;
  friend class Call;

  bool is_server() const { return side_ == Side::kServer; }
  bool is_shared() const { return limits_.calls > 1; }

  Call*& numbered(std::uint32_t sequence) { return numbered_[sequence & (numbered_.size() - 1)]; }

  // Input.
  void on_readable();
  void on_input_end();
  void process();
  bool may_read() const;
  bool begin_message();
  void take_call(const Envelope& envelope);
  void take_answer(const Envelope& envelope);
  bool take_facts(const Envelope& envelope, Call& call, Head& head);
  void pass_on();
  void end_message();
  // Reads on at the end of the turn, if there is room for what comes.
  void read_later() { channel_.loop().at_turn_end(process_); }

  // Output.
  void send(Call& call, Kind kind);
  void on_flushed(bool has_room_again);

  // Ends.
  Call& add(const Envelope& envelope);
  void remove(Call& call);
  // Ends the connection because of what came on it. Returns false, so that reading stops.
  bool fail(std::string_view why);
  void end(Reset reason);
  void on_timer();
  Moment deadline() const;
  void set_timer();

  const Side side_;
  const Carrier carrier_;
  const Limits& limits_;
  Events events_;
  BlockPool& blocks_;
  Channel channel_;
  Timer timer_;
  Task process_;

  // Each call knows its place.
  std::vector<std::unique_ptr<Call>> calls_;
  // A client's: calls by their numbers, at the places that the lowest bits of these say; twice as many as calls.
  std::vector<Call*> numbered_;
  Graveyard<Call> graveyard_;
  std::uint32_t last_sequence_ = 0;

  // The message that is being read: bytes of its body that have not come, and its call, nullptr if that has ended.
  std::uint32_t left_ = 0;
  Call* reading_ = nullptr;
  // Calls whose messages are held up.
  std::uint32_t held_ = 0;
  Moment head_began_;
  Moment drained_at_;
  // A server's: a call in a bare frame is under way, behind which nothing is read.
  bool is_in_order_ = false;
  bool is_in_head_ = false;
  bool was_used_ = false;
  bool is_draining_ = false;
  bool is_closed_ = false;
};

}  // namespace hone::mesh::thrift
