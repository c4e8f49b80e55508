// How near the process is to what it may use, as all workers know it, and what is turned away for it.
//
//     900 of 1000     connections whose clients stand still end, the oldest first
//     920 to 940      requests of low priority are turned away, more and more of them
//     940 to 960      those of normal priority
//     960 to 1000     those of high priority
//     985             fresh connections are closed at once
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/random.hpp"

namespace hone::mesh {

// Priority is how long a route's requests are served while there is not enough for all.
enum class Priority : std::uint8_t { kLow, kNormal, kHigh };

// Pressure is written by the main thread and read by workers, without order: what a worker sees may be old by the time
// between two looks.
class Pressure {
 public:
  // From here on connections have to go, and from there on none may come.
  static constexpr std::uint32_t kFull = 900;
  static constexpr std::uint32_t kOver = 985;
  // Where all requests of normal priority are turned away, and none of high priority.
  static constexpr std::uint32_t kHighOnly = 960;
  // What a connection takes beside the buffers and blocks of its worker: itself, and what the kernel has of it.
  static constexpr std::uint64_t kConnectionBytes = 8 * 1024;

  // In thousandths.
  void set(std::uint32_t pressure) { pressure_.store(pressure, std::memory_order_relaxed); }
  std::uint32_t now() const { return pressure_.load(std::memory_order_relaxed); }

  // True if a request is to be turned away: of each priority the more, the higher the pressure.
  bool sheds(Priority priority, Random& random) const {
    const std::uint32_t pressure = now();
    const Span& span = kSpans[static_cast<std::size_t>(priority)];
    return pressure > span.begin && random.below(span.end - span.begin) < pressure - span.begin;
  }

  // Memory that may be used and that was used when somebody looked, by how often that was; no limit is zero.
  void set_memory(std::uint64_t limit, std::uint64_t used) {
    limit_.store(limit, std::memory_order_relaxed);
    used_.store(used, std::memory_order_relaxed);
    looks_.fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t looks() const { return looks_.load(std::memory_order_relaxed); }

 private:
  struct Span {
    std::uint32_t begin;
    std::uint32_t end;
  };
  static constexpr Span kSpans[] = {{920, 940}, {940, kHighOnly}, {kHighOnly, 1000}};

  std::atomic<std::uint32_t> pressure_{0};
  std::atomic<std::uint64_t> limit_{0};
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> looks_{0};
};

// Room is a worker's view of the memory that is left: what it has taken since somebody looked is added to what was used
// then, as if all workers did alike.
class Room {
 public:
  Room(const Pressure& pressure, std::uint64_t workers) : pressure_(pressure), workers_(workers) {}

  bool has_limit() const { return pressure_.limit() > 0; }
  // Returns how many bytes of this worker are above so many thousandths, given what it holds.
  std::uint64_t excess(std::uint64_t own, std::uint32_t thousandths) {
    const std::uint64_t limit = pressure_.limit();
    if (limit == 0) return 0;
    const std::uint64_t looks = pressure_.looks();
    if (looks != looks_) {
      looks_ = looks;
      own_then_ = own;
    }
    const std::uint64_t most = limit / 1000 * thousandths;
    std::uint64_t used = pressure_.used();
    if (own > own_then_) {
      used += (own - own_then_) * workers_;
    } else {
      used -= std::min(used, own_then_ - own);
    }
    return used > most ? (used - most) / workers_ + 1 : 0;
  }

 private:
  const Pressure& pressure_;
  const std::uint64_t workers_;
  std::uint64_t looks_ = 0;
  std::uint64_t own_then_ = 0;
};

}  // namespace hone::mesh
