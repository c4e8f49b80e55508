// HTTP/1 read strictly, on either side: llhttp with no leniency, and the rules of RFC 9112 that it leaves to others.
//
// A message that two programs could read differently is refused, since the one in front would take a part of a body for
// a request (request smuggling). Names become lower case in place, and fields are views into the bytes that were
// parsed.
#pragma once

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/arena.hpp"
#include "base/delegate.hpp"
#include "http/message.hpp"

namespace hone::mesh::http1 {

// Fault is the reason why a message is refused: the status for its sender, and a word for the log.
struct Fault {
  int status = 0;
  std::string_view detail;
};

// Side is the kind of messages that are parsed.
enum class Side : std::uint8_t { kRequests, kResponses };

// Step is the point that a call of parse has reached.
enum class Step : std::uint8_t {
  // All bytes are taken, and the message goes on.
  kMore,
  // The head is complete.
  kHead,
  // The message has ended.
  kEnd,
  // The message is refused. Nothing further can be parsed.
  kFault,
};

// Parser parses one message after the other.
class Parser {
 public:
  // Parts of bodies go to a delegate while parse runs.
  Parser(Side side, std::size_t most_fields, Arena& arena, Delegate<void(std::string_view)> on_body);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Begins a message. The response to a HEAD request has no body, and the response to a request for WebSocket may agree
  // to it: then the parser does not read the bytes after the head.
  void begin(bool is_reply_to_head = false, bool may_upgrade = false);

  // Parses bytes, which it may change, up to a step. Returns the step and the number of bytes taken.
  struct Parsed {
    Step step = Step::kMore;
    std::size_t taken = 0;
  };
  Parsed parse(std::string_view bytes);
  // Parses the end of the connection, which ends some responses.
  Step finish();

  // Adjusts the views of an unfinished head or trailer after its bytes have moved in memory.
  void moved(std::ptrdiff_t by);

  // Returns the first byte that views of an unfinished head or trailer point to; nullptr where there are none. All
  // bytes from there on have to stay together until the next step.
  const char* needed() const;
  // True if a byte of the message has been parsed, but for line ends before it.
  bool has_begun() const { return has_begun_; }
  // True if the request line is complete.
  bool has_target() const { return is_target_complete_; }

  // After kHead: the head, and its effects on the connection.
  Head& head() { return head_; }
  bool is_http_1_1() const { return minor_ == 1; }
  bool keeps_alive() const { return keeps_alive_; }
  bool expects_continue() const { return expects_continue_; }
  // After kEnd.
  Headers& trailers() { return trailers_; }
  const Fault& fault() const { return fault_; }

 private:
  static const llhttp_settings_t& settings();
  static Parser& of(llhttp_t* parser) { return *static_cast<Parser*>(parser->data); }

  int on_protocol(std::string_view part);
  int on_target(std::string_view part);
  int on_name(std::string_view part);
  int on_name_complete();
  int on_value(std::string_view part);
  int on_value_complete();
  int on_head_complete();
  int on_extension(std::size_t bytes);

  // Check the rules that llhttp leaves to others. Return false, with the fault, where one is broken.
  bool check_request();
  bool check_framing();
  bool take_connection();
  bool is_websocket() const;
  bool refuse(int status, std::string_view detail);
  Step refused_by_llhttp(llhttp_errno_t error);
  Headers& fields() { return has_head_ ? trailers_ : head_.headers; }

  llhttp_t llhttp_;
  const Side side_;
  const std::size_t most_fields_;
  Arena& arena_;
  Delegate<void(std::string_view)> on_body_;

  Head head_;
  Headers trailers_;
  std::string_view target_;
  Header field_;
  Fault fault_;
  std::size_t extension_bytes_ = 0;
  std::uint8_t minor_ = 1;
  bool is_reply_to_head_ = false;
  bool may_upgrade_ = false;
  bool is_in_fields_ = false;
  bool is_target_complete_ = false;
  bool has_protocol_ = false;
  bool has_begun_ = false;
  bool has_head_ = false;
  bool has_ended_ = false;
  bool keeps_alive_ = false;
  bool expects_continue_ = false;
};

}  // namespace hone::mesh::http1
