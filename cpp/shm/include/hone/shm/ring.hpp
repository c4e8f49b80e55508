// One direction of a segment: bytes from one writer to one reader, which are different processes.
//
// Each process uses one end only, and keeps its own position privately: nothing of what the other side writes is used
// before it was loaded once and checked. All loads and stores of positions and of who waits are sequentially
// consistent: what each side stores before it looks at the other's word must be seen by a side that does the same the
// other way round.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "layout.hpp"

namespace hone::shm {
namespace detail {

// What lies in the segment for a ring. `bytes` are those of the ring twice in a row.
class Words {
 public:
  Words() = default;
  Words(std::byte* control, std::byte* bytes, std::size_t capacity)
      : control_(control), bytes_(bytes), capacity_(capacity) {}

  std::atomic_ref<std::uint64_t> head() const { return at<std::uint64_t>(kHeadAt); }
  std::atomic_ref<std::uint64_t> tail() const { return at<std::uint64_t>(kTailAt); }
  std::atomic_ref<std::uint32_t> reader_waits() const { return at<std::uint32_t>(kReaderWaitsAt); }
  std::atomic_ref<std::uint32_t> writer_waits() const { return at<std::uint32_t>(kWriterWaitsAt); }
  std::byte* byte(std::uint64_t position) const { return bytes_ + position % capacity_; }
  std::uint64_t capacity() const { return capacity_; }

 private:
  template <class Number>
  std::atomic_ref<Number> at(std::size_t offset) const {
    static_assert(std::atomic_ref<Number>::is_always_lock_free, "a lock would not lie in the segment");
    return std::atomic_ref<Number>(*reinterpret_cast<Number*>(control_ + offset));
  }

  std::byte* control_ = nullptr;
  std::byte* bytes_ = nullptr;
  std::uint64_t capacity_ = 1;
};

}  // namespace detail

// RingWriter is the writer's end.
class RingWriter {
 public:
  RingWriter() = default;
  explicit RingWriter(detail::Words words) : words_(words) {}

  // The free part, in one piece; empty where the ring is full. None where the other side has broken the ring.
  std::optional<std::span<std::byte>> room() const {
    const std::uint64_t unread = head_ - words_.tail().load();
    if (unread > words_.capacity()) return std::nullopt;
    return std::span(words_.byte(head_), words_.capacity() - unread);
  }

  // Hands so many bytes of room to the reader. Returns whether that sleeps and must be woken.
  bool wrote(std::size_t bytes) {
    head_ += bytes;
    words_.head().store(head_);
    return words_.reader_waits().load() != 0 && words_.reader_waits().exchange(0) != 0;
  }

  // Tells the reader that this side is about to sleep. It must look for room once more before it does.
  void announce() const { words_.writer_waits().store(1); }

 private:
  detail::Words words_;
  std::uint64_t head_ = 0;
};

// RingReader is the reader's end.
class RingReader {
 public:
  RingReader() = default;
  explicit RingReader(detail::Words words) : words_(words) {}

  // What has not been read, in one piece. The other side may change these bytes at any time: copy them before you look
  // at them. None where the other side has broken the ring.
  std::optional<std::span<const std::byte>> unread() const {
    const std::uint64_t unread = words_.head().load() - tail_;
    if (unread > words_.capacity()) return std::nullopt;
    return std::span<const std::byte>(words_.byte(tail_), unread);
  }

  // Gives so many bytes of what was unread back to the writer. Returns whether that sleeps and must be woken: once a
  // quarter of the ring is free, not for each byte.
  bool read(std::size_t bytes) {
    tail_ += bytes;
    words_.tail().store(tail_);
    if (words_.writer_waits().load() == 0) return false;
    const std::uint64_t unread = words_.head().load() - tail_;
    return unread <= words_.capacity() - words_.capacity() / 4 && words_.writer_waits().exchange(0) != 0;
  }

  // Tells the writer that this side is about to sleep. It must look for bytes once more before it does.
  void announce() const { words_.reader_waits().store(1); }

  bool is_empty() const { return words_.head().load() == tail_; }

 private:
  detail::Words words_;
  std::uint64_t tail_ = 0;
};

}  // namespace hone::shm
