// Text that workers gather and the main thread takes away, so that a slow disk or a slow collector never holds up a
// request.
//
// A worker fills a buffer and hands it over when it is half full or half a second old. Where the ring of
// buffers handed over is full, the new text is dropped, and counted.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "base/counter.hpp"
#include "base/delegate.hpp"
#include "base/time.hpp"
#include "event/loop.hpp"

namespace hone::mesh {

// Returns the wall clock's time at `took` before now.
std::chrono::system_clock::time_point wall_clock_before(Duration took);

// TextRing hands buffers from one worker to the main thread.
class TextRing {
 public:
  // Returns false, and leaves the buffer, where there is no room.
  bool push(std::string& buffer);
  // Returns false where there is no buffer.
  bool pop(std::string& buffer);

 private:
  static constexpr std::uint32_t kBuffers = 8;
  std::array<std::string, kBuffers> buffers_;
  std::atomic<std::uint32_t> pushed_{0};
  std::atomic<std::uint32_t> popped_{0};
};

// Gathered holds the text that one worker has gathered: one piece after the other.
class Gathered {
 public:
  // `lost` counts pieces that found no room. `full` is called in the worker's thread when a buffer was handed over.
  Gathered(Loop& loop, Counter& lost, Delegate<void()> full);

  // Returns the buffer, to append one piece to it. A piece has at most the text of one head, each byte of which may
  // become six.
  std::string& begin();
  void end();
  // Hands over the text gathered so far.
  void flush();
  TextRing& ring() { return ring_; }

 private:
  static constexpr std::size_t kBufferBytes = 64 * 1024;

  Loop& loop_;
  Counter& lost_;
  const Delegate<void()> full_;
  TextRing ring_;
  std::string buffer_;
  std::uint64_t pieces_ = 0;
  Timer timer_;
};

}  // namespace hone::mesh
