// Buffers of one size, lent by a worker's pool while bytes are in them, and slices that keep a buffer lent.
//
// A body is never copied: each slice holds its buffer until the kernel has taken the bytes. All of this belongs to one
// worker, so that counts are plain integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "base/delegate.hpp"

namespace hone::mesh {

class BufferPool;

// Size of every buffer in bytes, which is the most that the head of a message may take.
inline constexpr std::size_t kBufferBytes = 16 * 1024;

// Buffer is memory of a pool with the number of its users.
class Buffer {
 public:
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  char* bytes() { return reinterpret_cast<char*>(this + 1); }
  bool is_shared() const { return users_ > 1; }

 private:
  friend class BufferPool;
  friend class BufferRef;
  explicit Buffer(BufferPool& home) : home_(home) {}

  BufferPool& home_;
  Buffer* next_free_ = nullptr;
  std::uint32_t users_ = 0;
};

// BufferPool lends buffers, the last returned first, whose bytes are still in the CPU's caches. It must outlive its
// buffers.
class BufferPool {
 public:
  // The most free buffers that are kept, for a sudden need; more are given back to the system.
  static constexpr std::size_t kMostFree = 256;

  BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;
  ~BufferPool() {
    while (free_ != nullptr) destroy(pop());
  }

  std::size_t lent() const { return lent_; }
  // Returns the bytes that the pool has from the system.
  std::size_t held_bytes() const { return (lent_ + free_count_) * (sizeof(Buffer) + kBufferBytes); }
  // Has `handler` called each time that the pool has taken another kTellEach buffers from the system, which may be too
  // many.
  void on_growth(Delegate<void()> handler) { grown_ = handler; }

 private:
  friend class BufferRef;

  Buffer* take() {
    ++lent_;
    if (free_ != nullptr) return pop();
    if (++fresh_ % kTellEach == 0 && grown_) grown_();
    return ::new (::operator new(sizeof(Buffer) + kBufferBytes)) Buffer(*this);
  }
  void give_back(Buffer* buffer) {
    --lent_;
    if (free_count_ == kMostFree) return destroy(buffer);
    buffer->next_free_ = free_;
    free_ = buffer;
    ++free_count_;
  }
  Buffer* pop() {
    Buffer* const first = free_;
    free_ = first->next_free_;
    --free_count_;
    return first;
  }
  static void destroy(Buffer* buffer) {
    buffer->~Buffer();
    ::operator delete(buffer);
  }

  Buffer* free_ = nullptr;
  std::size_t free_count_ = 0;
  std::size_t lent_ = 0;
  // The number of buffers in a megabyte.
  static constexpr std::size_t kTellEach = 64;
  std::size_t fresh_ = 0;
  Delegate<void()> grown_;
};

// BufferRef is one use of a buffer, which returns to its pool with its last use.
class BufferRef {
 public:
  BufferRef() = default;
  explicit BufferRef(BufferPool& pool) : buffer_(pool.take()) { buffer_->users_ = 1; }
  BufferRef(const BufferRef& other) : buffer_(other.buffer_) {
    if (buffer_ != nullptr) ++buffer_->users_;
  }
  BufferRef(BufferRef&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  BufferRef& operator=(BufferRef other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~BufferRef() { reset(); }

  void reset() {
    Buffer* const old = std::exchange(buffer_, nullptr);
    if (old != nullptr && --old->users_ == 0) old->home_.give_back(old);
  }

  Buffer* operator->() const { return buffer_; }
  explicit operator bool() const { return buffer_ != nullptr; }
  bool operator==(const BufferRef& other) const { return buffer_ == other.buffer_; }

 private:
  Buffer* buffer_ = nullptr;
};

// Slice is bytes with the buffer that keeps them, or without one where the bytes live longer than any slice.
struct Slice {
  BufferRef keeper;
  std::string_view bytes;
};

// Slices is a list of slices of which the first has its place in the list itself: most bodies are one slice.
class Slices {
 public:
  void push(Slice slice) {
    if (size_++ == 0) {
      first_ = std::move(slice);
    } else {
      rest_.push_back(std::move(slice));
    }
  }
  std::size_t size() const { return size_; }
  Slice& operator[](std::size_t at) { return at == 0 ? first_ : rest_[at - 1]; }
  void clear() {
    if (size_ == 0) return;
    size_ = 0;
    first_ = {};
    rest_.clear();
  }

 private:
  Slice first_;
  std::vector<Slice> rest_;
  std::size_t size_ = 0;
};

}  // namespace hone::mesh
