// One direction of a segment: bytes from one writer to one reader, which are different processes.
//
// Each process uses one end only, and keeps its own position privately: no value that the other side writes is used
// before it was loaded once and checked. All loads and stores of positions and of who waits are sequentially
// consistent: a value that one side stores before it looks at the other's word must be seen by the other side, which
// does the same the other way round.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "layout.hpp"

namespace hone::shm {
namespace detail {

// Words are the control words and the bytes of a ring in the segment. `bytes` are those of the ring twice in a row.
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

  // Returns the free part, in one piece; empty where the ring is full. None where the other side has broken the ring.
  std::optional<std::span<std::byte>> room() const {
    const std::uint64_t unread = head_ - words_.tail().load();
    if (unread > words_.capacity()) return std::nullopt;
    return std::span(words_.byte(head_), words_.capacity() - unread);
  }

  // Hands `bytes` bytes of room to the reader. Returns whether the reader sleeps and must be woken.
  bool wrote(std::size_t bytes) {
    head_ += bytes;
    words_.head().store(head_);
    return words_.reader_waits().load() != 0 && words_.reader_waits().exchange(0) != 0;
  }

  // Tells the reader that this side is about to sleep. This side must look for room once more before it sleeps.
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

  // Returns the bytes that have not been read, in one piece. The other side may change them at any time: copy them
  // before you look at them. None where the other side has broken the ring.
  std::optional<std::span<const std::byte>> unread() const {
    const std::uint64_t unread = words_.head().load() - tail_;
    if (unread > words_.capacity()) return std::nullopt;
    return std::span<const std::byte>(words_.byte(tail_), unread);
  }

  // Gives `bytes` of the unread bytes back to the writer. Returns whether the writer sleeps and must be woken: once a
  // quarter of the ring is free, not for each byte.
  bool read(std::size_t bytes) {
    tail_ += bytes;
    words_.tail().store(tail_);
    if (words_.writer_waits().load() == 0) return false;
    const std::uint64_t unread = words_.head().load() - tail_;
    return unread <= words_.capacity() - words_.capacity() / 4 && words_.writer_waits().exchange(0) != 0;
  }

  // Tells the writer that this side is about to sleep. This side must look for bytes once more before it sleeps.
  void announce() const { words_.reader_waits().store(1); }

  bool is_empty() const { return words_.head().load() == tail_; }

 private:
  detail::Words words_;
  std::uint64_t tail_ = 0;
};

}  // namespace hone::shm
