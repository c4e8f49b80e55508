// Thrift on either side: a connection with calls in frames or behind TTHeaders.
//
// A message is written when all of it has come, since nothing may come between its parts. So a caller or an endpoint
// that breaks off in the middle of a message harms no other call, and a caller whose answer broke off is told so.
//
// Calls with a TTHeader are answered as their answers come. Calls in bare frames are taken one after the other, since
// their callers rely on the order.
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

// Limits bounds the resources that the other side may use.
struct Limits {
  // Bytes of a message.
  std::uint32_t message = 16 << 20;
  std::size_t facts = 100;
  // Calls that are under way. A client's connection with more than one is shared by them.
  std::uint32_t calls = 100;
  // Between the first byte and the last before a body.
  Duration head = std::chrono::seconds(10);
  // Without any call.
  Duration idle = std::chrono::seconds(60);
  // While bytes wait that the other side does not take, or that it announced and does not send.
  Duration stall = std::chrono::seconds(30);
};

// Events are calls to the owner of a connection.
struct Events {
  // For a server: a call has come. Returns the sink that takes the call.
  Delegate<MessageSink*(Exchange&)> open;
  // For a server: the input is no call, for this reason, and ends the connection.
  Delegate<void(std::string_view)> refused;
  // For a client: a call has ended, so that there is room for another one.
  Delegate<void(Connection&)> room;
  // The connection has ended. Its owner destroys it by a task of the loop.
  Delegate<void(Connection&)> ended;
};

// Connection is either side of one connection.
class Connection {
 public:
  enum class Side : std::uint8_t { kServer, kClient };

  // The carrier is for a client: a server answers in the carrier of the call.
  Connection(Side side, Carrier carrier, Loop& loop, BufferPool& buffers, BlockPool& blocks,
             std::unique_ptr<Transport> transport, const Limits& limits, Events events);
  ~Connection();

  void start();
  // Takes only the calls that are already on their way, and ends with the last of them.
  void drain();
  void close() { end(Reset::kClosed); }
  // Returns the time since which this side has waited for the other; nothing where the other side waits.
  std::optional<Moment> stands_since() const {
    if (!calls_.empty() && channel_.waiting() == 0) return std::nullopt;
    return channel_.last_moved();
  }

  // For a client: begins an exchange. Returns nullptr where there is no room for one now.
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
  // Reads on at the end of the turn, if there is room for more input.
  void read_later() { channel_.loop().at_turn_end(process_); }

  // Output.
  void send(Call& call, Kind kind);
  void on_flushed(bool has_room_again);

  // Ends.
  Call& add(const Envelope& envelope);
  void remove(Call& call);
  // Ends the connection because of faulty input. Returns false, so that reading stops.
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
  // For a client: calls at the index that the lowest bits of their numbers give; twice as many places as calls.
  std::vector<Call*> numbered_;
  Graveyard<Call> graveyard_;
  std::uint32_t last_sequence_ = 0;

  // The message that is being read: bytes of its body that have not come, and its call, nullptr if the call has ended.
  std::uint32_t left_ = 0;
  Call* reading_ = nullptr;
  // Calls whose messages are held up.
  std::uint32_t held_ = 0;
  Moment head_began_;
  Moment drained_at_;
  // True on a server while a call in a bare frame is under way: nothing is read after that call.
  bool is_in_order_ = false;
  bool is_in_head_ = false;
  bool was_used_ = false;
  bool is_draining_ = false;
  bool is_closed_ = false;
};

}  // namespace hone::mesh::thrift
