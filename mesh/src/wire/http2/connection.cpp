#include "wire/http2/connection.hpp"

#include <algorithm>

#include "wire/http2/stream.hpp"

namespace hone::mesh::http2 {
namespace {

// The number of bytes that are put into frames before the kernel takes some of them.
constexpr std::size_t kMostFramed = 64 * 1024;
// The number of bytes that one stream sends in its turn.
constexpr std::size_t kShare = 16 * 1024;
constexpr double kAllowancePerSecond = 50;
// The time that the other side has to read why its connection ends.
constexpr Duration kLinger = std::chrono::seconds(2);
// The time for streams that were on their way when the other side was told that no more are wanted.
constexpr Duration kLongestWarning = std::chrono::seconds(1);
// The last stream of a client's connection, after which a fresh connection is made.
constexpr std::uint32_t kLastOwnStream = 0x3fffffff;

}  // namespace

Connection::Connection(Side side, Loop& loop, BufferPool& buffers, BlockPool& blocks,
                       std::unique_ptr<Transport> transport, const Limits& limits, Events events)
    : side_(side),
      limits_(limits),
      events_(events),
      blocks_(blocks),
      channel_(loop, buffers, std::move(transport),
               {.readable = Delegate<void()>::of<&Connection::on_readable>(*this),
                .flushed = Delegate<void(bool)>::of<&Connection::on_flushed>(*this),
                .broken = Delegate<void()>::of<&Connection::close>(*this)}),
      decoder_(limits.fields),
      timer_(Delegate<void()>::of<&Connection::on_timer>(*this)),
      pump_(Delegate<void()>::of<&Connection::pump>(*this)),
      graveyard_(loop),
      last_read_(loop.now()),
      allowance_(kMostAllowance),
      allowance_at_(loop.now()) {}

Connection::~Connection() = default;

void Connection::start(std::string_view already_read) {
  Output& output = channel_.output();
  if (side_ == Side::kClient) output.append(kPreface);
  // The settings of this side that differ from the initial values of RFC 9113.
  http2::write_head(output, side_ == Side::kServer ? 18 : 12, Type::kSettings, 0, 0);
  if (side_ == Side::kServer) {
    write_setting(output, Setting::kEnableConnect, 1);
    write_setting(output, Setting::kMaxConcurrentStreams, limits_.streams);
  } else {
    write_setting(output, Setting::kEnablePush, 0);
  }
  write_setting(output, Setting::kMaxHeaderList, Decoder::kMostBytes);
  write_number(output, Type::kWindowUpdate, 0, kConnectionWindow - kDefaultWindow);
  receive_window_ = kConnectionWindow;
  preface_left_ = side_ == Side::kServer ? kPreface.size() : 0;
  channel_.flush_later();
  channel_.put_back(already_read);
  channel_.start();
  if (!already_read.empty()) process();
  if (!is_closed_) set_timer();
}

// Output.

void Connection::want_to_send(Stream& stream) {
  if (stream.is_gone_ || stream.is_sending_ || !stream.has_to_send()) return;
  stream.is_sending_ = true;
  sending_.push_back(stream.id_);
  send_later();
}

void Connection::pump() {
  if (is_closed_) return;
  std::vector<std::uint32_t> turns;
  while (!sending_.empty() && channel_.waiting() < kMostFramed) {
    turns.clear();
    turns.swap(sending_);
    for (const std::uint32_t id : turns) {
      Stream* const stream = find(id);
      if (stream == nullptr) continue;
      stream->is_sending_ = false;
      if (channel_.waiting() >= kMostFramed || stream->send(kShare)) {
        stream->is_sending_ = true;
        sending_.push_back(id);
      }
      if (is_closed_) return;
      if (stream->is_gone_ || stream->sink_ == nullptr) continue;
      if (stream->was_above_ && stream->pending_bytes_ < kLowWater) {
        stream->was_above_ = false;
        stream->sink_->on_room();
      }
    }
  }
  channel_.flush();
}

void Connection::on_flushed(bool) {
  if (is_closed_) return;
  // The other side may still be sending: closed at once, the connection would be reset, and the reason lost.
  if (is_failing_ && channel_.waiting() == 0 && !std::exchange(has_shut_writes_, true)) channel_.shut_writes();
  if (is_ending_ && streams_.empty() && channel_.waiting() == 0) return end(Reset::kClosed);
  if (!sending_.empty() && channel_.waiting() < kMostFramed / 2) send_later();
  if (channel_.waiting() < kMostUnread / 2) channel_.resume();
  set_timer();
}

void Connection::write_block(std::uint32_t stream, std::string_view block, bool is_end) {
  Type type = Type::kHeaders;
  do {
    const std::string_view piece = block.substr(0, peer_max_frame_);
    block.remove_prefix(piece.size());
    const auto flags = static_cast<std::uint8_t>((block.empty() ? kEndHeaders : 0) |
                                                 (is_end && type == Type::kHeaders ? kEndStream : 0));
    http2::write_head(channel_.output(), piece.size(), type, flags, stream);
    channel_.output().append(piece);
    type = Type::kContinuation;
  } while (!block.empty());
}

// Streams of a client.

bool Connection::has_room() const {
  return !is_ending() && !is_failing_ && streams_.size() < peer_streams_ && next_own_stream_ < kLastOwnStream;
}

Exchange* Connection::open(MessageSink& sink) {
  if (!has_room()) return nullptr;
  const std::uint32_t id = next_own_stream_;
  next_own_stream_ += 2;
  Stream& stream = *streams_.emplace_hint(streams_.end(), id, std::make_unique<Stream>(*this, id))->second;
  stream.sink_ = &sink;
  return &stream;
}

// Ends.

void Connection::reset_stream(Stream& stream, Code code, Reset reason) {
  if (stream.is_gone_) return;
  write_number(channel_.output(), Type::kReset, stream.id_, static_cast<std::uint32_t>(code));
  reset_last_[resets_++ % reset_last_.size()] = stream.id_;
  send_later();
  drop(stream, reason);
}

void Connection::drop(Stream& stream, Reset reason) {
  MessageSink* const sink = std::exchange(stream.sink_, nullptr);
  remove(stream);
  if (sink != nullptr) sink->on_reset(reason);
}

void Connection::drop_all(Reset reason) {
  while (!streams_.empty()) drop(*streams_.begin()->second, reason);
}

void Connection::remove(Stream& stream) {
  if (stream.is_gone_) return;
  stream.is_gone_ = true;
  const auto found = streams_.find(stream.id_);
  graveyard_.take(std::move(found->second));
  streams_.erase(found);
  // The connection may end with the flush at the end of the turn.
  if (is_ending_ && streams_.empty()) send_later();
  if (side_ == Side::kClient && !is_closed_ && events_.room) events_.room(*this);
}

bool Connection::fail(Code code) {
  if (is_failing_ || is_closed_) return false;
  is_failing_ = true;
  write_go_away(channel_.output(), side_ == Side::kServer ? last_peer_stream_ : 0, code);
  failed_at_ = channel_.loop().now();
  channel_.flush_later();
  drop_all(Reset::kProtocol);
  return false;
}

void Connection::drain() {
  if (is_warned_ || is_ending_ || is_closed_) return;
  if (side_ == Side::kClient) return say_farewell();
  is_warned_ = true;
  warned_at_ = channel_.loop().now();
  write_go_away(channel_.output(), kLastOfAll, Code::kNoError);
  http2::write_head(channel_.output(), kWarning.size(), Type::kPing, 0, 0);
  channel_.output().append(kWarning);
  send_later();
  set_timer();
}

void Connection::say_farewell() {
  if (is_ending_ || is_closed_) return;
  is_ending_ = true;
  write_go_away(channel_.output(), side_ == Side::kServer ? last_peer_stream_ : 0, Code::kNoError);
  send_later();
}

void Connection::end(Reset reason) {
  if (is_closed_) return;
  is_closed_ = true;
  timer_.cancel();
  // Nothing is cut off where there is no stream, and TLS tells the other side so.
  if (streams_.empty() && channel_.waiting() == 0 && !has_shut_writes_) channel_.shut_writes();
  channel_.close();
  drop_all(reason);
  events_.ended(*this);
}

bool Connection::spend(int cost) {
  const Moment now = channel_.loop().now();
  const double seconds = std::chrono::duration<double>(now - allowance_at_).count();
  allowance_at_ = now;
  allowance_ = std::min(kMostAllowance, allowance_ + seconds * kAllowancePerSecond) - cost;
  return allowance_ >= 0 || fail(Code::kEnhanceYourCalm);
}

// Time.

bool Connection::is_waiting() const {
  if (channel_.waiting() > 0 || preface_left_ > 0) return true;
  return std::any_of(streams_.begin(), streams_.end(), [this](const auto& one) {
    const Stream& stream = *one.second;
    // The other side owes a body that it announced, or a window.
    const bool is_due = stream.upgrade_ == Stream::Upgrade::kNone && !stream.is_remote_ended_;
    const bool waits_for_body = side_ == Side::kServer && is_due && stream.is_reading_;
    return waits_for_body || stream.pending_bytes_ > 0;
  });
}

// Returns the time until which the other side may still be waited for.
Moment Connection::deadline() const {
  if (is_failing_) return failed_at_ + kLinger;
  if (is_warning()) return warned_at_ + kLongestWarning;
  const bool waits = is_waiting();
  Moment found = kNever;
  if (waits) found = channel_.last_moved() + limits_.stall;
  if (is_in_block_) found = std::min(found, block_began_ + limits_.head);
  if (streams_.empty() && !waits) found = std::min(found, channel_.last_moved() + limits_.idle);
  for (const auto& [id, stream] : streams_) {
    if (stream->upgrade_ == Stream::Upgrade::kAgreed) found = std::min(found, stream->moved_ + limits_.tunnel);
  }
  return found;
}

// Ends the WebSockets on which nothing has moved for too long; the rest of the connection goes on.
bool Connection::end_quiet_tunnels() {
  std::vector<std::uint32_t> quiet;
  const Moment latest = channel_.loop().now() - limits_.tunnel;
  for (const auto& [id, stream] : streams_) {
    if (stream->upgrade_ == Stream::Upgrade::kAgreed && stream->moved_ <= latest) quiet.push_back(id);
  }
  for (const std::uint32_t id : quiet) {
    if (Stream* const stream = find(id)) reset_stream(*stream, Code::kCancel, Reset::kTimeout);
  }
  return !quiet.empty();
}

// Sets the timer soon enough for whatever has begun. Its handler then finds the exact deadline.
void Connection::set_timer() {
  if (is_closed_) return;
  Duration longest = is_failing_ ? kLinger : std::min({limits_.head, limits_.stall, limits_.idle, limits_.tunnel});
  if (is_warning()) longest = std::min(longest, kLongestWarning);
  const Moment soonest = channel_.loop().now() + longest;
  if (!timer_.is_set() || timer_.deadline() > soonest) channel_.loop().set(timer_, soonest);
}

void Connection::on_timer() {
  if (is_closed_) return;
  if (end_quiet_tunnels()) return set_timer();
  const Moment due = deadline();
  if (channel_.loop().now() < due) return channel_.loop().set(timer_, due);
  if (is_warning() && !is_failing_) {
    say_farewell();
    return set_timer();
  }
  if (!streams_.empty() || is_failing_ || is_in_block_ || channel_.waiting() > 0) return end(Reset::kTimeout);
  drain();
}

}  // namespace hone::mesh::http2
