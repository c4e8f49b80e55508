// Numbers that one worker counts and others read: no lock, no shared line, added up when they are read.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/time.hpp"

namespace hone::mesh {

// Counter is written by one thread and read by any.
class Counter {
 public:
  void add(std::uint64_t count = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
  void subtract(std::uint64_t count = 1) { add(-count); }
  std::uint64_t read() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// Classes are counts of responses by the first digit of their status.
class Classes {
 public:
  void add(int status) {
    if (status >= 100 && status < 600) counts_[static_cast<std::size_t>(status / 100 - 1)].add();
  }
  std::uint64_t read(std::size_t first_digit) const { return counts_[first_digit - 1].read(); }

 private:
  std::array<Counter, 5> counts_;
};

// Histogram counts durations by upper bounds.
class Histogram {
 public:
  // Upper bounds in microseconds; durations above the last one have a count of their own.
  static constexpr std::array<std::uint32_t, 14> kBounds_us = {500,       1'000,     2'500,     5'000,     10'000,
                                                               25'000,    50'000,    100'000,   250'000,   500'000,
                                                               1'000'000, 2'500'000, 5'000'000, 10'000'000};
  static constexpr std::size_t kCounts = kBounds_us.size() + 1;

  void observe(Duration duration) {
    const auto us = static_cast<std::uint64_t>(duration.count() / 1000);
    std::size_t at = 0;
    while (at < kBounds_us.size() && us > kBounds_us[at]) ++at;
    counts_[at].add();
    sum_us_.add(us);
  }

  std::uint64_t count(std::size_t at) const { return counts_[at].read(); }
  std::uint64_t sum_us() const { return sum_us_.read(); }

 private:
  std::array<Counter, kCounts> counts_;
  Counter sum_us_;
};

}  // namespace hone::mesh
