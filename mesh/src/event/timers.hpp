// Timers of a worker: a wheel of six levels with 64 slots each, the first of a millisecond a slot.
//
// Deadlines of requests are set far more often than they pass. So a timer that is set to a later time, or cancelled,
// stays in its slot, and its new deadline is looked at when the slot's time comes: to set a timer costs a store.
#pragma once

#include <array>
#include <cstdint>

#include "base/delegate.hpp"
#include "base/time.hpp"

namespace hone::mesh {

class TimerWheel;

// Timer calls its delegate once after its deadline, by up to a millisecond. It may be destroyed at any time.
class Timer {
 public:
  explicit Timer(Delegate<void()> fire) : fire_(fire) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { unlink(); }

  void cancel() { deadline_ = kNever; }
  bool is_set() const { return deadline_ != kNever; }
  Moment deadline() const { return deadline_; }

 private:
  friend class TimerWheel;

  void unlink() {
    if (before_ == nullptr) return;
    *before_ = next_;
    if (next_ != nullptr) next_->before_ = before_;
    before_ = nullptr;
  }

  Delegate<void()> fire_;
  Moment deadline_ = kNever;
  // Tick whose slot the timer lies in; before_ tells whether it lies in one.
  std::uint64_t tick_ = 0;
  Timer* next_ = nullptr;
  Timer** before_ = nullptr;
};

// TimerWheel holds timers until their deadlines. It must outlive them or be destroyed with them unset.
class TimerWheel {
 public:
  explicit TimerWheel(Moment start) : start_(start) {}
  TimerWheel(const TimerWheel&) = delete;
  TimerWheel& operator=(const TimerWheel&) = delete;
  ~TimerWheel();

  void set(Timer& timer, Moment deadline);

  // Calls all timers whose deadline has passed, and returns their number.
  std::size_t advance(Moment now);

  // Returns the time at which to advance next, kNever where no timer is set. It may be earlier than the first deadline.
  Moment next() const;

 private:
  static constexpr int kLevels = 6;
  static constexpr int kSlotBits = 6;
  static constexpr std::uint64_t kSlots = std::uint64_t{1} << kSlotBits;

  struct Level {
    std::array<Timer*, kSlots> slots{};
    // A bit for each slot that may have a timer.
    std::uint64_t occupied = 0;
  };

  // Returns the first tick that begins at a time or later.
  std::uint64_t tick_of(Moment time) const;
  Moment time_of(std::uint64_t tick) const;
  void link(Timer& timer, std::uint64_t tick);
  // Moves the timers of a slot into lower levels.
  void spread(int level, std::uint64_t slot);
  std::size_t fire(std::uint64_t slot, Moment now);
  // Returns the next tick at which a slot comes to its turn.
  std::uint64_t next_tick() const;

  Moment start_;
  // All ticks up to this one have passed.
  std::uint64_t now_ = 0;
  std::array<Level, kLevels> levels_{};
};

}  // namespace hone::mesh
