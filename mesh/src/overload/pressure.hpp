// The pressure on the process: how near it is to its limits, as all workers know it, and what is turned away for it.
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

// Priority is the priority of a route's requests: those of higher priority are served longer while resources are short.
enum class Priority : std::uint8_t { kLow, kNormal, kHigh };

// Pressure is written by the main thread and read by workers, without order: a worker may see a value that is as old as
// the time between two measurements.
class Pressure {
 public:
  // From kFull on connections have to end, and from kOver on no new ones may come.
  static constexpr std::uint32_t kFull = 900;
  static constexpr std::uint32_t kOver = 985;
  // The pressure at which all requests of normal priority are turned away, and none of high priority.
  static constexpr std::uint32_t kHighOnly = 960;
  // The memory of a connection beside the buffers and blocks of its worker: its own, and that of the kernel for it.
  static constexpr std::uint64_t kConnectionBytes = 8 * 1024;

  // The pressure in thousandths.
  void set(std::uint32_t pressure) { pressure_.store(pressure, std::memory_order_relaxed); }
  std::uint32_t now() const { return pressure_.load(std::memory_order_relaxed); }

  // True if a request is to be turned away: the higher the pressure, the more requests of its priority are.
  bool sheds(Priority priority, Random& random) const {
    const std::uint32_t pressure = now();
    const Span& span = kSpans[static_cast<std::size_t>(priority)];
    return pressure > span.begin && random.below(span.end - span.begin) < pressure - span.begin;
  }

  // Sets the memory that may be used, zero for no limit, and the memory in use; looks() counts these measurements.
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

// Room is a worker's view of the memory that is left: the memory that it has taken since the last measurement is added
// to the result of that, as if all workers had taken as much.
class Room {
 public:
  Room(const Pressure& pressure, std::uint64_t workers) : pressure_(pressure), workers_(workers) {}

  bool has_limit() const { return pressure_.limit() > 0; }
  // Returns the bytes that this worker, which holds `own`, has above its part of `thousandths` of the limit.
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
