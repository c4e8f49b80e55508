#include "event/timers.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace hone::mesh {
namespace {

constexpr Duration kTick = std::chrono::milliseconds(1);
constexpr std::uint64_t kNoTick = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TimerWheel::~TimerWheel() {
  for (Level& level : levels_) {
    for (Timer*& slot : level.slots) {
      while (slot != nullptr) slot->unlink();
    }
  }
}

std::uint64_t TimerWheel::tick_of(Moment time) const {
  if (time <= start_) return 0;
  return static_cast<std::uint64_t>((time - start_ + kTick - Duration(1)) / kTick);
}

Moment TimerWheel::time_of(std::uint64_t tick) const {
  return start_ + kTick * static_cast<std::int64_t>(tick);
}

void TimerWheel::set(Timer& timer, Moment deadline) {
  timer.deadline_ = deadline;
  if (deadline == kNever) return;
  const std::uint64_t tick = std::max(tick_of(deadline), now_ + 1);
  if (timer.before_ != nullptr) {
    if (timer.tick_ <= tick) return;
    timer.unlink();
  }
  link(timer, tick);
}

void TimerWheel::link(Timer& timer, std::uint64_t tick) {
  // The level is that of the highest group of bits in which the tick differs from now.
  const std::uint64_t reach = (std::uint64_t{1} << (kLevels * kSlotBits)) - 1;
  tick = std::min(tick, now_ | reach);
  const std::uint64_t differs = tick ^ now_;
  const int level = differs == 0 ? 0 : (63 - std::countl_zero(differs)) / kSlotBits;
  const std::uint64_t slot = (tick >> (level * kSlotBits)) % kSlots;
  Level& home = levels_[static_cast<std::size_t>(level)];
  home.occupied |= std::uint64_t{1} << slot;
  Timer*& first = home.slots[slot];
  timer.tick_ = tick;
  timer.next_ = first;
  timer.before_ = &first;
  if (first != nullptr) first->before_ = &timer.next_;
  first = &timer;
}

std::uint64_t TimerWheel::next_tick() const {
  for (int level = 0; level < kLevels; ++level) {
    const int shift = level * kSlotBits;
    const std::uint64_t here = (now_ >> shift) % kSlots;
    // Slots up to the present one have passed: timers further on have a higher level.
    const std::uint64_t ahead =
        here + 1 == kSlots ? 0 : levels_[static_cast<std::size_t>(level)].occupied >> (here + 1) << (here + 1);
    if (ahead == 0) continue;
    const std::uint64_t slot = static_cast<std::uint64_t>(std::countr_zero(ahead));
    const std::uint64_t above = now_ >> (shift + kSlotBits) << (shift + kSlotBits);
    return above | (slot << shift);
  }
  return kNoTick;
}

Moment TimerWheel::next() const {
  const std::uint64_t tick = next_tick();
  return tick == kNoTick ? kNever : time_of(tick);
}

std::size_t TimerWheel::advance(Moment now) {
  const std::uint64_t until = now <= start_ ? 0 : static_cast<std::uint64_t>((now - start_) / kTick);
  std::size_t fired = 0;
  while (now_ < until) {
    const std::uint64_t tick = next_tick();
    if (tick > until) {
      now_ = until;
      break;
    }
    now_ = tick;
    // A slot of a higher level begins: its timers belong below, some of them to this very tick.
    for (int level = kLevels - 1; level > 0; --level) {
      const std::uint64_t low = (std::uint64_t{1} << (level * kSlotBits)) - 1;
      if ((tick & low) == 0) spread(level, (tick >> (level * kSlotBits)) % kSlots);
    }
    fired += fire(tick % kSlots, now);
  }
  return fired;
}

void TimerWheel::spread(int level, std::uint64_t slot) {
  Level& home = levels_[static_cast<std::size_t>(level)];
  home.occupied &= ~(std::uint64_t{1} << slot);
  while (Timer* const timer = home.slots[slot]) {
    timer->unlink();
    if (timer->deadline_ != kNever) link(*timer, std::max(tick_of(timer->deadline_), now_));
  }
}

std::size_t TimerWheel::fire(std::uint64_t slot, Moment now) {
  Level& home = levels_[0];
  home.occupied &= ~(std::uint64_t{1} << slot);
  std::size_t fired = 0;
  while (Timer* const timer = home.slots[slot]) {
    timer->unlink();
    if (timer->deadline_ == kNever) continue;
    if (timer->deadline_ > now) {
      link(*timer, std::max(tick_of(timer->deadline_), now_ + 1));
      continue;
    }
    timer->deadline_ = kNever;
    ++fired;
    timer->fire_();
  }
  return fired;
}

}  // namespace hone::mesh
