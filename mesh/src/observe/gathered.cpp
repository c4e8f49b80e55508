#include "observe/gathered.hpp"

#include <utility>

namespace hone::mesh {
namespace {

constexpr Duration kFlushAfter = std::chrono::milliseconds(500);

}  // namespace

std::chrono::system_clock::time_point wall_clock_before(Duration took) {
  return std::chrono::system_clock::now() - std::chrono::duration_cast<std::chrono::system_clock::duration>(took);
}

bool TextRing::push(std::string& buffer) {
  const std::uint32_t pushed = pushed_.load(std::memory_order_relaxed);
  if (pushed - popped_.load(std::memory_order_acquire) == kBuffers) return false;
  buffers_[pushed % kBuffers] = std::move(buffer);
  pushed_.store(pushed + 1, std::memory_order_release);
  return true;
}

bool TextRing::pop(std::string& buffer) {
  const std::uint32_t popped = popped_.load(std::memory_order_relaxed);
  if (popped == pushed_.load(std::memory_order_acquire)) return false;
  buffer = std::move(buffers_[popped % kBuffers]);
  popped_.store(popped + 1, std::memory_order_release);
  return true;
}

Gathered::Gathered(Loop& loop, Counter& lost, Delegate<void()> full)
    : loop_(loop), lost_(lost), full_(full), timer_(Delegate<void()>::of<&Gathered::flush>(*this)) {}

std::string& Gathered::begin() {
  if (buffer_.empty()) {
    buffer_.reserve(kBufferBytes);
    loop_.set(timer_, loop_.now() + kFlushAfter);
  }
  return buffer_;
}

void Gathered::end() {
  ++pieces_;
  if (buffer_.size() > kBufferBytes / 2) flush();
}

void Gathered::flush() {
  if (buffer_.empty()) return;
  if (!ring_.push(buffer_)) lost_.add(pieces_);
  buffer_.clear();
  pieces_ = 0;
  full_();
}

}  // namespace hone::mesh
