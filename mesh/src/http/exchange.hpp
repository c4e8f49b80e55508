// One request with its response, between a wire and whoever uses it.
//
// A server's wire opens an exchange for each request: the request comes into a sink, and the response is written to the
// exchange. A client's wire is used the other way round. So the two interfaces are the same on both sides:
//
//     server's wire   request  -> MessageSink of a stream       response <- Exchange of the wire
//     client's wire   request  -> Exchange of the wire          response <- MessageSink of a stream
//
// An exchange is over with its response: on the server's side when write_end returns, on the client's side when on_end
// of the sink is called; and on both when reset or on_reset is called. Nobody calls the other one afterwards. What is
// left of a request then is the wire's matter.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "http/message.hpp"

namespace hone::mesh {

// Reset is why an exchange ended before its time.
enum class Reset : std::uint8_t {
  // The other side closed its connection, or broke it.
  kClosed,
  // The same, on a connection that had been kept for further requests, before a byte of the response: the other side
  // may have closed it before it saw the request.
  kStale,
  // The other side said that it did not look at the request.
  kUnseen,
  // The other side broke the rules of its wire.
  kProtocol,
  // The other side did not go on in time.
  kTimeout,
  // This side gave up.
  kCancelled,
};

// MessageSink takes a message in its parts: heads, body, end.
class MessageSink {
 public:
  virtual ~MessageSink() = default;

  // Takes a head: that of the request, or of the response, before which others below 200 may come.
  virtual void on_head(Head head) = 0;
  virtual void on_body(Slice slice) = 0;
  // Takes the end with its trailers, of which there are seldom any.
  virtual void on_end(Headers trailers) = 0;
  virtual void on_reset(Reset reason) = 0;
  // Tells that what waited in the exchange has been written but for kLowWater.
  virtual void on_room() = 0;
};

// Marks between which a sender is held up, in bytes that wait in an exchange.
inline constexpr std::size_t kHighWater = 64 * 1024;
inline constexpr std::size_t kLowWater = 16 * 1024;

// Exchange writes the other message, and steers the one that comes in.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual void write_head(const Head& head) = 0;
  virtual void write_body(Slice slice) = 0;
  virtual void write_end(const Headers& trailers) = 0;
  // Ends the exchange, both ways.
  virtual void reset(Reset reason) = 0;
  // Holds up what comes in, or lets it go on. A buffer of it may still come.
  virtual void set_reading(bool is_reading) = 0;
  // Returns the bytes that wait to be written.
  virtual std::size_t waiting() const = 0;
  // Returns what was wrong with the message that comes in, where on_reset says kProtocol and it is known: a text that
  // lives on.
  virtual std::string_view fault() const { return {}; }
  // Returns the memory in which fields of messages lie until the exchange is over.
  virtual Arena& arena() = 0;
};

}  // namespace hone::mesh
