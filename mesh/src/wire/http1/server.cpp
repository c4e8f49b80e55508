#include "wire/http1/server.hpp"

#include <algorithm>

namespace hone::mesh::http1 {
namespace {

// The most bytes of an unwanted body that are read so that the connection can be kept, and the time that a refused
// client has to read the reason.
constexpr std::size_t kMostDiscarded = 256 * 1024;
constexpr Duration kLinger = std::chrono::seconds(2);

}  // namespace

ServerConnection::ServerConnection(Loop& loop, BufferPool& buffers, BlockPool& blocks,
                                   std::unique_ptr<Transport> transport, const ServerLimits& limits,
                                   ServerEvents events)
    : limits_(limits),
      events_(events),
      arena_(blocks),
      channel_(loop, buffers, std::move(transport),
               {.readable = Delegate<void()>::of<&ServerConnection::on_readable>(*this),
                .flushed = Delegate<void(bool)>::of<&ServerConnection::on_flushed>(*this),
                .broken = Delegate<void()>::of<&ServerConnection::close>(*this)}),
      parser_(Side::kRequests, limits.fields, arena_,
              Delegate<void(std::string_view)>::of<&ServerConnection::on_body>(*this)),
      timer_(Delegate<void()>::of<&ServerConnection::on_timer>(*this)),
      next_(Delegate<void()>::of<&ServerConnection::process>(*this)),
      since_(loop.now()) {}

std::optional<Moment> ServerConnection::stands_since() const {
  const bool waits_for_input =
      state_ == State::kIdle || state_ == State::kHead || (state_ == State::kBody && is_reading_);
  const bool waits_for_output = state_ != State::kTunnel && channel_.waiting() > 0;
  if (!waits_for_input && !waits_for_output) return std::nullopt;
  return std::max(since_, channel_.last_moved());
}

void ServerConnection::start() {
  parser_.begin();
  channel_.start();
  set_timer();
}

void ServerConnection::drain() {
  is_draining_ = true;
  if (state_ == State::kIdle) close_idle();
}

// Ends a connection between two requests, and says so: with TLS this differs from a connection that was cut off.
void ServerConnection::close_idle() {
  channel_.shut_writes();
  close();
}

void ServerConnection::close() {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  timer_.cancel();
  channel_.close();
  if (MessageSink* const sink = std::exchange(sink_, nullptr)) sink->on_reset(Reset::kClosed);
  events_.ended();
}

// Input.

void ServerConnection::on_readable() {
  const bool is_wanted = state_ == State::kLingering || state_ == State::kWaiting || is_reading_;
  if (!is_wanted || has_input_end_) return channel_.hold();
  const Channel::Fill fill = channel_.fill();
  parser_.moved(fill.moved);
  if (fill.is_full) {
    // Requests that wait for their turn fill the buffer, or a head is longer than the buffer.
    if (state_ == State::kWaiting || state_ == State::kAsking) return channel_.hold();
    return refuse(parser_.has_target() ? Fault{431, "head"} : Fault{414, "target"});
  }
  if (fill.transfer.would_block()) return;
  if (fill.transfer.bytes == 0) return on_input_end(fill.transfer.is_end());
  process();
}

void ServerConnection::on_input_end(bool is_said) {
  if (state_ == State::kTunnel && is_said) {
    has_input_end_ = true;
    channel_.hold();
    return sink_->on_end({});
  }
  // A client that closes while it waits is gone: most programs close both directions, and one alone looks the same.
  if (state_ == State::kHead) events_.refused({400, "truncated"});
  close();
}

bool ServerConnection::is_greeting() {
  const std::string_view input = channel_.input();
  const std::string_view greeting = events_.greeting;
  const std::size_t compared = std::min(input.size(), greeting.size());
  if (greeting.empty() || input.substr(0, compared) != greeting.substr(0, compared)) return false;
  if (compared == greeting.size()) events_.greeted();
  return state_ == State::kClosed || compared < greeting.size();
}

std::unique_ptr<Transport> ServerConnection::give_up() {
  state_ = State::kClosed;
  timer_.cancel();
  return channel_.give_up();
}

void ServerConnection::process() {
  if (is_processing_ || state_ == State::kClosed) return;
  if (is_first_ && is_greeting()) return;
  is_first_ = false;
  is_processing_ = true;
  // A head without a body ends without a further byte.
  bool is_at_head = false;
  while (state_ != State::kWaiting && state_ != State::kAsking && state_ != State::kClosed &&
         (is_at_head || !channel_.input().empty())) {
    if (state_ == State::kLingering) {
      discard();
      break;
    }
    if (state_ == State::kTunnel) {
      pass_on();
      break;
    }
    // The receiver of a part of a body may end the connection while the parser is still at work.
    const BufferRef held = channel_.keeper();
    const Parser::Parsed parsed = parser_.parse(channel_.input());
    if (state_ == State::kClosed) break;
    channel_.take(parsed.taken);
    channel_.keep_from(parser_.needed());
    if (state_ == State::kIdle && parser_.has_begun()) {
      state_ = State::kHead;
      since_ = channel_.loop().now();
    }
    is_at_head = parsed.step == Step::kHead;
    switch (parsed.step) {
      case Step::kMore:
        break;
      case Step::kHead:
        on_head();
        break;
      case Step::kEnd:
        on_end();
        break;
      case Step::kFault:
        refuse(parser_.fault());
        break;
    }
  }
  is_processing_ = false;
  if (state_ == State::kClosed) return;
  channel_.release_if_taken();
  set_timer();
}

void ServerConnection::discard() {
  const std::size_t size = channel_.input().size();
  discarded_ += size;
  channel_.take(size);
  if (discarded_ > kMostDiscarded) close();
}

void ServerConnection::pass_on() {
  const std::string_view input = channel_.input();
  channel_.take(input.size());
  sink_->on_body(Slice{channel_.keeper(), input});
}

void ServerConnection::on_head() {
  Head& head = parser_.head();
  is_http_1_1_ = parser_.is_http_1_1();
  is_to_head_ = head.method == "HEAD";
  closes_after_ = !parser_.keeps_alive();
  awaits_continue_ = parser_.expects_continue() && head.body.kind != Body::Kind::kNone;
  is_reading_ = true;
  discarded_ = 0;
  state_ = head.upgrade.empty() ? State::kBody : State::kAsking;
  since_ = channel_.loop().now();
  head.keeper = channel_.keeper();
  sink_ = events_.open(*this);
  sink_->on_head(std::move(head));
}

void ServerConnection::on_body(std::string_view part) {
  awaits_continue_ = false;
  if (sink_ != nullptr) return sink_->on_body(Slice{channel_.keeper(), part});
  discarded_ += part.size();
}

void ServerConnection::on_end() {
  if (state_ == State::kDiscarding) return end_exchange();
  if (state_ != State::kBody) return;
  state_ = State::kWaiting;
  sink_->on_end(parser_.trailers());
}

void ServerConnection::refuse(const Fault& fault) {
  if (MessageSink* const sink = std::exchange(sink_, nullptr)) {
    sink->on_reset(fault.status == 408 ? Reset::kTimeout : Reset::kProtocol);
    // A response that has begun cannot be ended well: its missing end tells the client.
    if (has_written_head_) return close();
  } else if (state_ != State::kDiscarding) {
    events_.refused(fault);
  }
  if (!has_written_head_) {
    Head head;
    head.status = fault.status;
    http1::write_response(channel_.output(), head, {.closes = true});
  }
  linger();
}

// Output.

void ServerConnection::write_head(const Head& head) {
  if (head.status == kSwitching) {
    if (state_ != State::kAsking) return;
    state_ = State::kTunnel;
    has_written_head_ = closes_after_ = true;
    // Bytes that have come meanwhile belong to the tunnel.
    channel_.loop().at_turn_end(next_);
  } else if (is_informational(head.status)) {
    if (!is_http_1_1_) return;
    awaits_continue_ = awaits_continue_ && head.status != 100;
  } else {
    has_written_head_ = true;
    // A client that waits for 100 Continue may send its body or another request: these could not be told apart.
    closes_after_ |=
        is_draining_ || is_retiring_ || (awaits_continue_ && state_ == State::kBody) || state_ == State::kAsking;
  }
  const Reply reply{.is_to_head = is_to_head_, .is_http_1_1 = is_http_1_1_, .closes = closes_after_};
  framing_ = http1::write_response(channel_.output(), head, reply);
  closes_after_ |= framing_ == Framing::kUntilClose;
  channel_.flush_later();
}

void ServerConnection::write_body(Slice slice) {
  http1::write_body(channel_.output(), framing_, std::move(slice));
  channel_.flush_later();
}

void ServerConnection::write_end(const Headers& trailers) {
  http1::write_end(channel_.output(), framing_, trailers);
  channel_.flush_later();
  sink_ = nullptr;
  if (state_ == State::kWaiting) return end_exchange();
  state_ = State::kDiscarding;
  if (closes_after_) return linger();
  channel_.resume();
  is_reading_ = true;
  since_ = channel_.loop().now();
}

void ServerConnection::end_exchange() {
  if (closes_after_ || is_draining_ || discarded_ > kMostDiscarded) return linger();
  state_ = State::kIdle;
  since_ = channel_.loop().now();
  has_written_head_ = false;
  arena_.clear();
  parser_.begin();
  channel_.resume();
  is_reading_ = true;
  if (is_processing_) return;
  channel_.release_if_taken();
  if (!channel_.input().empty()) channel_.loop().at_turn_end(next_);
  set_timer();
}

void ServerConnection::reset(Reset) {
  sink_ = nullptr;
  channel_.flush();
  close();
}

void ServerConnection::set_reading(bool is_reading) {
  is_reading_ = is_reading;
  if (!is_reading || has_input_end_) return;
  since_ = channel_.loop().now();
  channel_.resume();
}

void ServerConnection::linger() {
  state_ = State::kLingering;
  discarded_ = 0;
  since_ = channel_.loop().now();
  channel_.keep_from(nullptr);
  channel_.flush_later();
  channel_.resume();
  set_timer();
}

void ServerConnection::on_flushed(bool has_room_again) {
  if (state_ == State::kLingering && waiting() == 0 && !has_shut_writes_) {
    has_shut_writes_ = true;
    channel_.shut_writes();
    if (has_input_end_) return close();
    since_ = channel_.loop().now();
  }
  if (sink_ != nullptr && has_room_again) sink_->on_room();
  if (state_ != State::kClosed) set_timer();
}

// Time.

Moment ServerConnection::quiet_for(Duration longest) const {
  return std::max(since_, channel_.last_moved()) + longest;
}

void ServerConnection::set_timer() {
  Moment deadline = kNever;
  switch (state_) {
    case State::kIdle:
      deadline = since_ + limits_.idle;
      break;
    case State::kHead:
      deadline = since_ + limits_.head;
      break;
    case State::kBody:
      deadline = is_reading_ ? quiet_for(limits_.stall) : kNever;
      break;
    case State::kDiscarding:
    case State::kLingering:
      deadline = since_ + kLinger;
      break;
    case State::kTunnel:
      deadline = quiet_for(limits_.tunnel);
      break;
    case State::kWaiting:
    case State::kAsking:
    case State::kClosed:
      break;
  }
  if (waiting() > 0) deadline = quiet_for(limits_.stall);
  channel_.loop().set(timer_, deadline);
}

void ServerConnection::on_timer() {
  const Moment now = channel_.loop().now();
  if (waiting() > 0) return now < quiet_for(limits_.stall) ? set_timer() : close();
  if (state_ == State::kTunnel) {
    return now < quiet_for(limits_.tunnel) ? set_timer() : close();
  }
  if (state_ == State::kIdle) return close_idle();
  if (state_ == State::kHead) return refuse({408, "head"});
  if (state_ != State::kBody) return close();
  if (now < quiet_for(limits_.stall)) return set_timer();
  refuse({408, "body"});
}

}  // namespace hone::mesh::http1
