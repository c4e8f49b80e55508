// The loop over Linux' epoll, level-triggered: bytes that were not read are reported again, so that one read a turn is
// enough.
#pragma once

#include <sys/epoll.h>

#include <array>

#include "event/loop.hpp"
#include "net/descriptor.hpp"

namespace hone::mesh {

// EpollLoop runs in one thread; wake alone may be called by others.
class EpollLoop final : public Loop {
 public:
  // Throws std::system_error where the kernel gives no descriptors.
  EpollLoop();

  void watch(Watch& watch, Ready interest) override;
  void forget(Watch& watch) override;
  void set(Timer& timer, Moment deadline) override { timers_.set(timer, deadline); }
  void at_turn_end(Task& task) override { tasks_.push(task); }
  Moment now() const override { return now_; }

  // Runs turns until stop.
  void run();
  // Runs one turn, which waits for events for at most `longest`.
  void turn(Duration longest);
  void stop() { is_stopped_ = true; }
  // Looks at a source in each turn from now on, before it waits.
  void look_at(Source& source) { source_ = &source; }

  // wake has the handler of on_wake called in the loop's thread, soon, and once for several calls.
  void wake();
  void on_wake(Delegate<void()> handler) { woken_ = handler; }

 private:
  void take_wakes(Ready);
  int timeout_ms(Duration longest) const;

  Descriptor epoll_;
  Descriptor wakes_;
  Moment now_;
  TimerWheel timers_;
  Watch wakes_watch_;
  Source* source_ = nullptr;
  Delegate<void()> woken_;
  TaskQueue tasks_;
  // The kernel's events for this turn. Those from next_ on are not handled yet.
  std::array<epoll_event, 256> events_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  bool is_stopped_ = false;
};

}  // namespace hone::mesh
