// The loop of a worker, as everything above sees it: descriptors, timers, and tasks for the end of a turn.
//
// A turn is one look at the kernel: the handlers of all descriptors that are ready, timers whose time has come, then
// the tasks. The owner of a watch or a task is destroyed by a task, never by a handler, so that no handler meets a dead
// object.
#pragma once

#include <cstdint>

#include "base/delegate.hpp"
#include "base/time.hpp"
#include "event/cpu_meter.hpp"
#include "event/timers.hpp"

namespace hone::mesh {

// Ready shows what a descriptor allows without waiting. An error or an end is reported as readable, where a read finds
// it.
struct Ready {
  bool readable = false;
  bool writable = false;
};

// Watch is a descriptor with its handler. The loop must have forgotten it before it ends.
class Watch {
 public:
  Watch(int descriptor, Delegate<void(Ready)> handler) : descriptor_(descriptor), handler_(handler) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  int descriptor() const { return descriptor_; }
  Ready interest() const { return interest_; }
  bool is_watched() const { return is_watched_; }
  void handle(Ready ready) const { handler_(ready); }
  // Notes the state of the watch, for the loop or the transport that calls it.
  void note(bool is_watched, Ready interest) {
    is_watched_ = is_watched;
    interest_ = interest;
  }

 private:
  int descriptor_;
  Delegate<void(Ready)> handler_;
  Ready interest_;
  bool is_watched_ = false;
};

class TaskQueue;

// Task runs once at the end of the turn in which it was given to the loop, unless it is destroyed before.
class Task {
 public:
  explicit Task(Delegate<void()> run) : run_(run) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task();

 private:
  friend class TaskQueue;

  Delegate<void()> run_;
  TaskQueue* queue_ = nullptr;
  Task* before_ = nullptr;
  Task* next_ = nullptr;
};

// TaskQueue holds tasks in the order in which they came. A task that one before it destroys leaves the queue.
class TaskQueue {
 public:
  bool is_empty() const { return first_ == nullptr; }
  // Puts a task behind the others; a task that is in the queue already stays where it is.
  void push(Task& task) {
    if (task.queue_ != nullptr) return;
    task.queue_ = this;
    task.before_ = last_;
    (last_ == nullptr ? first_ : last_->next_) = &task;
    last_ = &task;
  }
  // Runs tasks, also those that they add, until there is none.
  void run_all() {
    while (Task* const first = first_) {
      // The task may destroy itself.
      const Delegate<void()> run = first->run_;
      take_out(*first);
      run();
    }
  }

 private:
  friend class Task;
  void take_out(Task& task) {
    (task.before_ == nullptr ? first_ : task.before_->next_) = task.next_;
    (task.next_ == nullptr ? last_ : task.next_->before_) = task.before_;
    task.before_ = task.next_ = nullptr;
    task.queue_ = nullptr;
  }

  Task* first_ = nullptr;
  Task* last_ = nullptr;
};

inline Task::~Task() {
  if (queue_ != nullptr) queue_->take_out(*this);
}

// Source is a source of events that a loop looks at itself, since no descriptor reports them.
class Source {
 public:
  virtual ~Source() = default;

  // Takes the events that have come. Returns false where there are none: then the next event wakes the loop.
  virtual bool take() = 0;
  // Hands the events to their receivers, as handlers are called.
  virtual void deliver() = 0;
};

// Loop is implemented by epoll (epoll_loop.hpp), and by a mock in tests.
class Loop {
 public:
  virtual ~Loop() = default;

  // Watches a descriptor for these events from now on; without events it stays known, and costs nothing.
  virtual void watch(Watch& watch, Ready interest) = 0;
  // Forgets a descriptor, which must not be closed before.
  virtual void forget(Watch& watch) = 0;
  // Has a timer called at a time; kNever cancels.
  virtual void set(Timer& timer, Moment deadline) = 0;
  // Runs a task once at the end of this turn, behind the tasks that were given before; a task that waits already stays
  // where it is.
  virtual void at_turn_end(Task& task) = 0;
  // Returns the time at which this turn began.
  virtual Moment now() const = 0;

  CpuMeter& meter() { return meter_; }

 private:
  CpuMeter meter_;
};

}  // namespace hone::mesh
