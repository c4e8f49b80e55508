// One request with its response, between a wire and the user of that wire.
//
// A server's wire opens an exchange for each request: the request comes into a sink, and the response is written to the
// exchange. A client's wire is used the other way round. So the two interfaces are the same on both sides:
//
//     server's wire   request  -> MessageSink of a stream       response <- Exchange of the wire
//     client's wire   request  -> Exchange of the wire          response <- MessageSink of a stream
//
// An exchange is over with its response: on the server's side when write_end returns, on the client's side when on_end
// of the sink is called; and on both when reset or on_reset is called. Afterwards the two sides do not call each other.
// The wire then deals with any rest of the request.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "http/message.hpp"

namespace hone::mesh {

// Reset is the reason why an exchange ended early.
enum class Reset : std::uint8_t {
  // The other side closed its connection, or broke it.
  kClosed,
  // The other side closed a connection that had been kept for further requests, before a byte of the response: it may
  // have closed it before it saw the request.
  kStale,
  // The other side reported that it did not look at the request.
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

  // Takes the head of a request or of a response. Heads below 200 may come before the head of a response.
  virtual void on_head(Head head) = 0;
  virtual void on_body(Slice slice) = 0;
  // Takes the end of the message with its trailers, of which there are seldom any.
  virtual void on_end(Headers trailers) = 0;
  virtual void on_reset(Reset reason) = 0;
  // Reports that fewer than kLowWater bytes wait in the exchange, after more than kHighWater have waited.
  virtual void on_room() = 0;
};

// A sender is held up when more than kHighWater bytes wait in an exchange, until fewer than kLowWater wait.
inline constexpr std::size_t kHighWater = 64 * 1024;
inline constexpr std::size_t kLowWater = 16 * 1024;

// Exchange writes the outgoing message, and steers the incoming one.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual void write_head(const Head& head) = 0;
  virtual void write_body(Slice slice) = 0;
  virtual void write_end(const Headers& trailers) = 0;
  // Ends the exchange in both directions.
  virtual void reset(Reset reason) = 0;
  // Holds up the incoming message, or lets it go on. One more buffer of it may still come.
  virtual void set_reading(bool is_reading) = 0;
  // Returns the bytes that wait to be written.
  virtual std::size_t waiting() const = 0;
  // Returns the fault of the incoming message where on_reset reports kProtocol; empty where the fault is not known. The
  // text outlives the exchange.
  virtual std::string_view fault() const { return {}; }
  // Returns the memory in which fields of messages lie until the exchange is over.
  virtual Arena& arena() = 0;
};

}  // namespace hone::mesh
