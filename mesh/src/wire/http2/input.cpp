// Input of a connection: the effect of each frame of the other side.
#include <algorithm>

#include "base/text.hpp"
#include "wire/http2/connection.hpp"
#include "wire/http2/fields.hpp"
#include "wire/http2/stream.hpp"

namespace hone::mesh::http2 {
namespace {

// The most bytes of one block before decoding. A block that never ends is a flood.
constexpr std::size_t kMostBlockBytes = 64 * 1024;

}  // namespace

void Connection::on_readable() {
  if (channel_.waiting() > kMostUnread) return channel_.hold();
  const Channel::Fill fill = channel_.fill();
  if (fill.transfer.would_block()) return;
  if (fill.is_full || fill.transfer.bytes == 0) return end(Reset::kClosed);
  last_read_ = channel_.loop().now();
  process();
}

void Connection::process() {
  for (bool goes_on = true; goes_on && !is_closed_ && !is_failing_;) {
    std::string_view input = channel_.input();
    const std::size_t size = input.size();
    if (preface_left_ > 0) {
      const std::string_view expected = kPreface.substr(kPreface.size() - preface_left_);
      const std::size_t compared = std::min(size, expected.size());
      if (input.substr(0, compared) != expected.substr(0, compared)) {
        fail(Code::kProtocol);
        break;
      }
      channel_.take(compared);
      preface_left_ -= compared;
      goes_on = compared > 0;
      continue;
    }
    // The receiver of a part of a body may end the connection.
    const BufferRef held = channel_.keeper();
    const Piece piece = reader_.next(input);
    channel_.take(size - input.size());
    goes_on = piece.kind != Piece::Kind::kMore && take(piece);
  }
  if (is_closed_) return;
  if (is_failing_) channel_.take(channel_.input().size());
  channel_.release_if_taken();
  set_timer();
}

bool Connection::take(const Piece& piece) {
  switch (piece.kind) {
    case Piece::Kind::kHead:
      return begin_frame();
    case Piece::Kind::kPayload:
      return take_payload(piece.payload);
    case Piece::Kind::kEnd:
      return end_frame();
    default:
      return fail(piece.fault);
  }
}

bool Connection::begin_frame() {
  const FrameHead& head = reader_.head();
  // The first frame of either side holds its settings.
  if (!has_settings_ && (head.type != Type::kSettings || head.has(kAck))) return fail(Code::kProtocol);
  has_settings_ = true;
  // No other frame may stand between the pieces of a block.
  const bool is_next = head.type == Type::kContinuation && head.stream == block_stream_;
  if (is_in_block_ != (head.type == Type::kContinuation) || (is_in_block_ && !is_next)) return fail(Code::kProtocol);
  switch (head.type) {
    case Type::kHeaders:
      return begin_block();
    case Type::kContinuation:
      // Empty pieces make a block longer without costing bytes.
      return head.length > 0 || spend(10);
    case Type::kData: {
      if (is_idle(head.stream)) return fail(Code::kProtocol);
      receive_window_ -= head.length;
      if (receive_window_ < 0) return fail(Code::kFlowControl);
      if (head.length == 0 && !head.has(kEndStream) && !spend(10)) return false;
      Stream* const stream = find(head.stream);
      if (stream == nullptr) {
        if (was_reset(head.stream)) return true;
        write_number(channel_.output(), Type::kReset, head.stream, static_cast<std::uint32_t>(Code::kStreamClosed));
        send_later();
        return spend(1);
      }
      if (stream->is_remote_ended_) {
        reset_stream(*stream, Code::kStreamClosed, Reset::kProtocol);
        return true;
      }
      stream->receive_window_ -= head.length;
      if (stream->receive_window_ < 0) reset_stream(*stream, Code::kFlowControl, Reset::kProtocol);
      return true;
    }
    case Type::kPriority:
      if (head.length != 5) {
        if (Stream* const stream = find(head.stream)) {
          reset_stream(*stream, Code::kFrameSize, Reset::kProtocol);
        } else {
          write_number(channel_.output(), Type::kReset, head.stream, static_cast<std::uint32_t>(Code::kFrameSize));
          send_later();
        }
      }
      return spend(1);
    case Type::kReset:
    case Type::kWindowUpdate:
      return head.stream == 0 || !is_idle(head.stream) ? true : fail(Code::kProtocol);
    default:
      return true;
  }
}

bool Connection::take_payload(std::string_view payload) {
  const FrameHead& head = reader_.head();
  switch (head.type) {
    case Type::kHeaders:
    case Type::kContinuation: {
      block_bytes_ += payload.size();
      if (block_bytes_ > kMostBlockBytes) return fail(Code::kEnhanceYourCalm);
      return decoder_.decode(payload, false) == Decoder::Result::kGood || fail(Code::kCompression);
    }
    case Type::kData:
      return take_data(payload);
    case Type::kSettings:
      return head.has(kAck) ? true : take_settings(payload);
    case Type::kPing:
      if (head.has(kAck)) {
        // All that the other side sent before it knew of the end has come by now.
        if (is_warned_ && payload == kWarning) say_farewell();
        return true;
      }
      http2::write_head(channel_.output(), payload.size(), Type::kPing, kAck, 0);
      channel_.output().append(payload);
      send_later();
      return spend(10);
    case Type::kReset: {
      Stream* const stream = find(head.stream);
      if (stream == nullptr) return true;
      const bool is_refused = number_of(payload) == static_cast<std::uint32_t>(Code::kRefusedStream);
      // A client may end a request whose response is over, since nothing more of it is needed: that is no fault.
      drop(*stream, is_refused ? Reset::kUnseen : Reset::kClosed);
      return side_ == Side::kClient || spend(2);
    }
    case Type::kGoAway:
      take_go_away(payload);
      return !is_closed_;
    case Type::kWindowUpdate:
      return take_window_update(number_of(payload) & 0x7fffffff);
    case Type::kPriority: {
      const bool is_own = payload.size() == 5 && (number_of(payload.substr(0, 4)) & 0x7fffffff) == head.stream;
      if (!is_own) return true;
      if (Stream* const stream = find(head.stream)) {
        reset_stream(*stream, Code::kProtocol, Reset::kProtocol);
        return true;
      }
      return fail(Code::kProtocol);
    }
    default:
      return true;
  }
}

bool Connection::end_frame() {
  const FrameHead& head = reader_.head();
  switch (head.type) {
    case Type::kHeaders:
    case Type::kContinuation:
      return head.has(kEndHeaders) ? end_block() : true;
    case Type::kData:
      return end_data();
    case Type::kSettings:
      // Without an acknowledgement a peer cannot know when its settings hold.
      if (head.has(kAck)) return true;
      http2::write_head(channel_.output(), 0, Type::kSettings, kAck, 0);
      send_later();
      return spend(10);
    default:
      return true;
  }
}

bool Connection::begin_block() {
  const FrameHead& head = reader_.head();
  block_stream_ = head.stream;
  is_in_block_ = true;
  block_ends_stream_ = head.has(kEndStream);
  block_bytes_ = 0;
  block_began_ = channel_.loop().now();
  block_fields_ = {};
  Stream* stream = find(head.stream);
  if (stream == nullptr && side_ == Side::kServer) {
    if (head.stream % 2 == 0) return fail(Code::kProtocol);
    const bool is_new = head.stream > last_peer_stream_;
    if (!is_new && !was_reset(head.stream)) return fail(Code::kStreamClosed);
    last_peer_stream_ = std::max(last_peer_stream_, head.stream);
    if (is_new && !is_ending_) {
      stream = streams_.emplace_hint(streams_.end(), head.stream, std::make_unique<Stream>(*this, head.stream))
                   ->second.get();
    }
  } else if (stream == nullptr && is_idle(head.stream)) {
    return fail(Code::kProtocol);
  } else if (stream != nullptr && stream->is_remote_ended_) {
    return fail(Code::kStreamClosed);
  }
  // A block for a stream that has ended has to be decoded, too.
  if (stream == nullptr) nowhere_ = std::make_unique<Stream>(*this, head.stream);
  decoder_.begin(stream == nullptr ? nowhere_->arena_ : stream->arena_, block_fields_);
  return true;
}

bool Connection::end_block() {
  is_in_block_ = false;
  if (decoder_.decode({}, true) != Decoder::Result::kGood) return fail(Code::kCompression);
  nowhere_.reset();
  Stream* const stream = find(block_stream_);
  if (stream == nullptr) return true;
  const bool is_trailer = stream->has_head_;
  // Trailers end a message.
  if (is_trailer && !block_ends_stream_) {
    reset_stream(*stream, Code::kProtocol, Reset::kProtocol);
    return true;
  }
  stream->is_remote_ended_ |= block_ends_stream_;
  is_trailer ? take_trailers(*stream) : take_head(*stream);
  return !is_closed_ && !is_failing_;
}

void Connection::take_trailers(Stream& stream) {
  Headers trailers = block_fields_;
  const bool is_short = stream.is_sized_ && stream.body_left_ > 0;
  if (decoder_.is_too_large() || is_short || !http2::take_trailers(trailers)) {
    return reset_stream(stream, Code::kProtocol, Reset::kProtocol);
  }
  end_message(stream, trailers);
}

void Connection::end_message(Stream& stream, const Headers& trailers) {
  MessageSink* const sink = stream.sink_;
  if (side_ == Side::kClient) stream.sink_ = nullptr;
  if (sink != nullptr) sink->on_end(trailers);
  if (side_ == Side::kServer) return;
  // A client's exchange is over with its response.
  stream.is_local_ended_ ? remove(stream) : reset_stream(stream, Code::kNoError, Reset::kCancelled);
}

void Connection::take_head(Stream& stream) {
  Head head;
  head.headers = block_fields_;
  const bool is_ended = stream.is_remote_ended_;
  if (side_ == Side::kServer) {
    if (streams_.size() > limits_.streams) {
      spend(2);
      return reset_stream(stream, Code::kRefusedStream, Reset::kProtocol);
    }
    if (decoder_.is_too_large()) {
      Head refusal;
      refusal.status = 431;
      stream.has_head_ = true;
      stream.write_head(refusal);
      return stream.write_end({});
    }
    if (!take_request(head, is_ended, stream.arena_)) {
      spend(10);
      return reset_stream(stream, Code::kProtocol, Reset::kProtocol);
    }
    stream.is_reply_to_head_ = head.method == "HEAD";
    if (!head.upgrade.empty()) stream.upgrade_ = Stream::Upgrade::kAsked;
    stream.has_head_ = true;
    allowance_ = std::min(kMostAllowance, allowance_ + 1);
    stream.sink_ = events_.open(stream);
  } else {
    if (stream.sink_ == nullptr) return;
    if (decoder_.is_too_large() || !take_response(head, is_ended, stream.is_reply_to_head_)) {
      return reset_stream(stream, Code::kProtocol, Reset::kProtocol);
    }
    stream.has_head_ = !is_informational(head.status);
  }
  stream.is_sized_ = head.body.kind == Body::Kind::kSized;
  stream.body_left_ = head.body.size;
  stream.sink_->on_head(std::move(head));
  if (!is_ended || stream.sink_ == nullptr || stream.is_gone_) return;
  end_message(stream, {});
}

bool Connection::take_data(std::string_view payload) {
  Stream* const stream = find(reader_.head().stream);
  if (stream == nullptr || stream->is_remote_ended_) return true;
  if (!stream->has_head_) return fail(Code::kProtocol);
  // Bytes that came before the agreement could be read as a request after a refusal.
  if (stream->upgrade_ == Stream::Upgrade::kAsked) {
    reset_stream(*stream, Code::kProtocol, Reset::kProtocol);
    return true;
  }
  stream->moved_ = channel_.loop().now();
  if (stream->is_sized_ && payload.size() > stream->body_left_) {
    reset_stream(*stream, Code::kProtocol, Reset::kProtocol);
    return true;
  }
  stream->body_left_ -= stream->is_sized_ ? payload.size() : 0;
  if (stream->sink_ != nullptr) stream->sink_->on_body(Slice{channel_.keeper(), payload});
  return !is_closed_ && !is_failing_;
}

bool Connection::end_data() {
  const FrameHead& head = reader_.head();
  unacknowledged_ += head.length;
  if (unacknowledged_ >= kConnectionWindow / 2) {
    write_number(channel_.output(), Type::kWindowUpdate, 0, unacknowledged_);
    send_later();
    receive_window_ += std::exchange(unacknowledged_, 0);
  }
  Stream* const stream = find(head.stream);
  if (stream == nullptr || stream->is_remote_ended_) return true;
  stream->consumed_ += head.length;
  if (!head.has(kEndStream)) {
    stream->give_window_back();
    return true;
  }
  stream->is_remote_ended_ = true;
  if (!stream->has_head_) return fail(Code::kProtocol);
  if (stream->is_sized_ && stream->body_left_ > 0) {
    reset_stream(*stream, Code::kProtocol, Reset::kProtocol);
    return true;
  }
  end_message(*stream, {});
  return !is_closed_;
}

bool Connection::take_settings(std::string_view payload) {
  for (; !payload.empty(); payload.remove_prefix(6)) {
    const auto setting = static_cast<Setting>(number_of(payload.substr(0, 2)));
    if (!take_setting(setting, number_of(payload.substr(2, 4)))) return false;
  }
  return true;
}

bool Connection::take_setting(Setting setting, std::uint32_t value) {
  switch (setting) {
    case Setting::kHeaderTableSize:
      encoder_.set_table_size(value);
      return true;
    case Setting::kEnablePush:
      return value <= 1 || fail(Code::kProtocol);
    case Setting::kMaxConcurrentStreams:
      peer_streams_ = value;
      return true;
    case Setting::kInitialWindow: {
      if (value > kMaxWindow) return fail(Code::kFlowControl);
      const std::int64_t change = std::int64_t{value} - peer_window_;
      peer_window_ = value;
      for (auto& [id, stream] : streams_) {
        stream->send_window_ += change;
        if (stream->send_window_ > kMaxWindow) return fail(Code::kFlowControl);
        want_to_send(*stream);
      }
      return true;
    }
    case Setting::kMaxFrame:
      if (value < kMaxFrame || value > 0xffffff) return fail(Code::kProtocol);
      // Longer frames than these would only make other streams wait.
      peer_max_frame_ = std::min<std::uint32_t>(value, kMaxFrame);
      return true;
    default:
      return true;
  }
}

bool Connection::take_window_update(std::uint32_t increment) {
  const std::uint32_t id = reader_.head().stream;
  if (id == 0) {
    if (increment == 0) return fail(Code::kProtocol);
    send_window_ += increment;
    if (send_window_ > kMaxWindow) return fail(Code::kFlowControl);
    for (auto& [each, stream] : streams_) want_to_send(*stream);
    return true;
  }
  Stream* const stream = find(id);
  if (stream == nullptr) return true;
  if (increment == 0) {
    reset_stream(*stream, Code::kProtocol, Reset::kProtocol);
    return true;
  }
  stream->send_window_ += increment;
  if (stream->send_window_ > kMaxWindow) {
    reset_stream(*stream, Code::kFlowControl, Reset::kProtocol);
  } else {
    want_to_send(*stream);
  }
  return true;
}

void Connection::take_go_away(std::string_view payload) {
  is_ending_ = true;
  if (side_ == Side::kServer) return;
  const std::uint32_t last = number_of(payload.substr(0, 4)) & 0x7fffffff;
  // Later streams were not looked at, and may be tried elsewhere.
  std::vector<Stream*> unseen;
  for (auto one = streams_.upper_bound(last); one != streams_.end(); ++one) unseen.push_back(one->second.get());
  for (Stream* const stream : unseen) {
    if (!stream->is_gone_) drop(*stream, Reset::kUnseen);
  }
  if (streams_.empty() && !is_closed_) end(Reset::kClosed);
}

Connection::Stream* Connection::find(std::uint32_t id) {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second.get();
}

bool Connection::is_idle(std::uint32_t id) const {
  if (side_ == Side::kServer) return id % 2 == 0 || id > last_peer_stream_;
  return id % 2 == 0 || id >= next_own_stream_;
}

bool Connection::was_reset(std::uint32_t id) const {
  return std::find(reset_last_.begin(), reset_last_.end(), id) != reset_last_.end();
}

}  // namespace hone::mesh::http2
