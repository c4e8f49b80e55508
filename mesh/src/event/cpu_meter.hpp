// CPU time of a worker by payer, counted only while it is wanted.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

#include "base/counter.hpp"

namespace hone::mesh {

// Payer is the number of the route that CPU time is counted for, from 1 on, or kNobody.
using Payer = std::uint32_t;
inline constexpr Payer kNobody = 0;

// CpuMeter counts by three rules. The time that a thread spends for nobody before a payer comes up is that payer's:
// bytes were read and understood for it. The time in which a connection writes at the end of a turn is for the payer
// that put in bytes last. All other time is nobody's, such as that of waiting and of connections that come and go.
//
// The clock of a thread's CPU time is dear, so it is read twice in a turn, and the CPU time of the turn is shared out
// by a cheap clock.
class CpuMeter {
 public:
  // Cost is the CPU time and the number of requests of one payer so far.
  struct Cost {
    Counter ns;
    Counter requests;
  };
  // Clocks return nanoseconds: of the CPU time of the calling thread, and of any time that passes.
  struct Clocks {
    std::int64_t (*cpu)() = &thread_ns;
    std::int64_t (*passing)() = &steady_ns;
  };

  // The largest number that a payer may have; payers with larger numbers count as nobody.
  static constexpr Payer kMost = 1'000'000;

  CpuMeter() : CpuMeter(Clocks{}) {}
  explicit CpuMeter(Clocks clocks) : clocks_(clocks) { reserve(kNobody); }
  CpuMeter(const CpuMeter&) = delete;
  CpuMeter& operator=(const CpuMeter&) = delete;
  ~CpuMeter() {
    for (const auto& block : blocks_) delete block.load(std::memory_order_relaxed);
  }

  // Makes room for payers up to `most`. Only the worker calls this.
  void reserve(Payer most) {
    const Payer last = std::min(most, kMost);
    if (last < passed_.size()) return;
    passed_.resize(last + 1);
    for (std::size_t at = 0; at <= last / kBlock; ++at) {
      if (blocks_[at].load(std::memory_order_relaxed) == nullptr) {
        blocks_[at].store(new Block(), std::memory_order_release);
      }
    }
  }

  // Any thread may call these. want begins to count from the next turn on, or ends it. cost_of returns the cost of a
  // payer so far, nullptr where there was no room for the payer yet.
  void want(bool on) { is_wanted_.store(on, std::memory_order_relaxed); }
  const Cost* cost_of(Payer payer) const {
    const Block* const block = payer > kMost ? nullptr : blocks_[payer / kBlock].load(std::memory_order_acquire);
    return block == nullptr ? nullptr : &(*block)[payer % kBlock];
  }

  // Only the worker calls the following. Counting begins and ends only between turns.
  bool is_on() const { return is_on_; }
  Payer payer() const { return payer_; }
  // Begins a turn after the wait for it, which counts for nobody.
  void begin_turn() {
    if (is_on_) own(kNobody).ns.add(spent());
    const bool was_on = std::exchange(is_on_, is_wanted_.load(std::memory_order_relaxed));
    if (!is_on_) return;
    if (!was_on) cpu_ns_ = clocks_.cpu();
    passing_ns_ = clocks_.passing();
  }
  void end_turn() {
    if (!is_on_) return;
    pass(kNobody);
    share_out(spent());
  }
  void add_request(Payer payer) {
    if (is_on_) own(payer).requests.add();
  }
  // Counts the time from now on for a payer; returns the payer before.
  Payer enter(Payer payer) {
    if (payer >= passed_.size()) payer = kNobody;
    if (payer == payer_) return payer;
    pass(payer_ == kNobody ? payer : payer_);
    return std::exchange(payer_, payer);
  }
  // Counts the time from now on for the payer before again.
  void leave(Payer before) {
    if (payer_ == before) return;
    pass(payer_);
    payer_ = before;
  }

 private:
  static constexpr Payer kBlock = 1024;
  using Block = std::array<Cost, kBlock>;

  Cost& own(Payer payer) {
    const Payer known = payer < passed_.size() ? payer : kNobody;
    return (*blocks_[known / kBlock].load(std::memory_order_relaxed))[known % kBlock];
  }
  static std::int64_t thread_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
  }
  static std::int64_t steady_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

  // Returns the CPU time since the last call.
  std::uint64_t spent() {
    const std::int64_t now_ns = clocks_.cpu();
    return static_cast<std::uint64_t>(now_ns - std::exchange(cpu_ns_, now_ns));
  }
  // Counts the time since the last call for a payer.
  void pass(Payer payer) {
    const std::int64_t now_ns = clocks_.passing();
    const auto passed = static_cast<std::uint64_t>(now_ns - std::exchange(passing_ns_, now_ns));
    if (passed == 0) return;
    if (passed_[payer] == 0) payers_.push_back(payer);
    passed_[payer] += passed;
    all_passed_ += passed;
  }
  void share_out(std::uint64_t cpu_ns) {
    for (const Payer payer : payers_) {
      const double part = static_cast<double>(std::exchange(passed_[payer], 0)) / static_cast<double>(all_passed_);
      own(payer).ns.add(static_cast<std::uint64_t>(static_cast<double>(cpu_ns) * part + 0.5));
    }
    payers_.clear();
    all_passed_ = 0;
  }

  const Clocks clocks_;
  std::atomic<bool> is_wanted_{false};
  bool is_on_ = false;
  Payer payer_ = kNobody;
  std::int64_t cpu_ns_ = 0;
  std::int64_t passing_ns_ = 0;
  // Costs by payers. Blocks stay where they are, since other threads read them.
  std::array<std::atomic<Block*>, kMost / kBlock + 1> blocks_{};
  // The time of this turn by payers, and the payers that have some.
  std::vector<std::uint64_t> passed_;
  std::vector<Payer> payers_;
  std::uint64_t all_passed_ = 0;
};

// Paying counts time for a payer while it lives.
class Paying {
 public:
  Paying(CpuMeter& meter, Payer payer) : meter_(meter.is_on() ? &meter : nullptr) {
    if (meter_ != nullptr) before_ = meter_->enter(payer);
  }
  Paying(const Paying&) = delete;
  Paying& operator=(const Paying&) = delete;
  ~Paying() {
    if (meter_ != nullptr) meter_->leave(before_);
  }

 private:
  CpuMeter* const meter_;
  Payer before_ = kNobody;
};

}  // namespace hone::mesh
