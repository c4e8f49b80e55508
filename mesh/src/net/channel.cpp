#include "net/channel.hpp"

#include <algorithm>
#include <cstring>

#include "http/exchange.hpp"

namespace hone::mesh {

Channel::Channel(Loop& loop, BufferPool& pool, std::unique_ptr<Transport> transport, Events events)
    : loop_(loop),
      pool_(pool),
      transport_(std::move(transport)),
      events_(events),
      watch_(transport_->descriptor(), Delegate<void(Ready)>::of<&Channel::on_ready>(*this)),
      again_(Delegate<void()>::of<&Channel::read_again>(*this)),
      flush_(Delegate<void()>::of<&Channel::flush>(*this)),
      output_(pool),
      last_moved_(loop.now()) {}

Channel::~Channel() {
  close();
}

void Channel::on_ready(Ready ready) {
  if (ready.writable) flush();
  if (ready.readable && !is_closed_) events_.readable();
}

// Reads bytes that the transport holds, which the descriptor does not report. They are few, so that no other connection
// waits for long.
void Channel::read_again() {
  if (!is_closed_ && is_reading_ && transport_->has_more()) events_.readable();
}

void Channel::change_buffer(Fill& fill) {
  // Bytes that have to stay together, or are not taken, move to the front of another buffer.
  const std::size_t kept = std::min(mark_, taken_);
  const std::size_t size = filled_ - kept;
  if (size == kBufferBytes) {
    fill.is_full = true;
    return;
  }
  BufferRef next(pool_);
  if (size > 0) std::memcpy(next->bytes(), at(kept), size);
  fill.moved = next->bytes() - at(kept);
  buffer_ = std::move(next);
  taken_ -= kept;
  filled_ = size;
  if (is_marked()) mark_ -= kept;
}

Channel::Fill Channel::fill() {
  Fill fill;
  if (!buffer_) {
    buffer_ = BufferRef(pool_);
    taken_ = filled_ = 0;
  } else if (kBufferBytes - filled_ < kLeastRead) {
    const bool is_first = std::min(mark_, taken_) == 0;
    // A head that begins the buffer may use all of it.
    if (!is_first || filled_ == kBufferBytes) change_buffer(fill);
    if (fill.is_full) return fill;
  }
  fill.transfer = transport_->read({at(filled_), kBufferBytes - filled_});
  filled_ += fill.transfer.bytes;
  if (fill.transfer.bytes > 0) {
    last_moved_ = loop_.now();
  } else {
    // No bytes for the wire came, only half a record of TLS, say.
    release_if_taken();
  }
  if (transport_->has_more()) loop_.at_turn_end(again_);
  return fill;
}

void Channel::put_back(std::string_view bytes) {
  if (bytes.empty()) return;
  buffer_ = BufferRef(pool_);
  std::memcpy(buffer_->bytes(), bytes.data(), bytes.size());
  taken_ = 0;
  filled_ = bytes.size();
}

std::unique_ptr<Transport> Channel::give_up() {
  transport_->forget(loop_, watch_);
  is_closed_ = true;
  return std::move(transport_);
}

void Channel::release_if_taken() {
  if (!buffer_ || taken_ != filled_ || is_marked()) return;
  // Others hold bytes of the buffer: the next bytes go behind them.
  if (buffer_->is_shared()) return;
  buffer_.reset();
  taken_ = filled_ = 0;
}

void Channel::flush() {
  if (is_closed_) return;
  const Paying paying(loop_.meter(), payer_);
  const std::size_t before = output_.bytes();
  was_above_ |= before > kHighWater;
  if (is_broken_ || output_.flush(*transport_) != 0) {
    output_.clear();
    if (!std::exchange(is_broken_, true)) return events_.broken();
  }
  const std::size_t left = output_.bytes();
  const Ready interest = watch_.interest();
  const bool is_waiting = left > 0;
  if (left < before || is_waiting != interest.writable) last_moved_ = loop_.now();
  if (is_waiting != interest.writable) {
    transport_->watch(loop_, watch_, {.readable = interest.readable, .writable = is_waiting});
  }
  const bool has_room_again = was_above_ && left < kLowWater;
  if (has_room_again) was_above_ = false;
  events_.flushed(has_room_again);
}

void Channel::hold() {
  is_reading_ = false;
  const Ready interest = watch_.interest();
  if (interest.readable) return transport_->watch(loop_, watch_, {.readable = false, .writable = interest.writable});
  // Errors are reported whatever the interest is, and nobody wants to know of them now.
  if (!interest.writable) transport_->forget(loop_, watch_);
}

void Channel::resume() {
  if (is_closed_) return;
  is_reading_ = true;
  transport_->watch(loop_, watch_, {.readable = true, .writable = watch_.interest().writable});
  if (transport_->has_more()) loop_.at_turn_end(again_);
}

void Channel::close() {
  if (is_closed_) return;
  is_closed_ = true;
  transport_->forget(loop_, watch_);
  output_.clear();
  buffer_.reset();
  taken_ = filled_ = 0;
  mark_ = kUnmarked;
}

}  // namespace hone::mesh
