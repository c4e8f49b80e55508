// Connections to one endpoint, as streams see them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/delegate.hpp"
#include "http/exchange.hpp"

namespace hone::mesh {

// PoolFailure is the reason why there is no connection.
enum class PoolFailure : std::uint8_t { kNone, kRefused, kTimeout, kOverflow };

// WaiterLink is a place in a queue.
class WaiterLink {
 public:
  WaiterLink() = default;
  WaiterLink(const WaiterLink&) = delete;
  WaiterLink& operator=(const WaiterLink&) = delete;
  ~WaiterLink() { take_back(); }

  // Leaves the queue, if the link is in one.
  void take_back() {
    before_->next_ = next_;
    next_->before_ = before_;
    before_ = next_ = this;
  }
  bool is_waiting() const { return next_ != this; }

 private:
  friend class WaiterQueue;

  WaiterLink* before_ = this;
  WaiterLink* next_ = this;
};

// Waiter asks for one exchange, whose response goes to its sink. `ready` or `failed` is called once, during acquire or
// later. Until then the waiter may end or take back its wish.
struct Waiter : WaiterLink {
  Waiter(MessageSink& response, Delegate<void(Exchange&)> on_ready, Delegate<void(PoolFailure)> on_failed)
      : sink(response), ready(on_ready), failed(on_failed) {}

  void fail(PoolFailure failure, std::string_view why) {
    detail = why;
    failed(failure);
  }

  MessageSink& sink;
  const Delegate<void(Exchange&)> ready;
  const Delegate<void(PoolFailure)> failed;
  // The details of the failure, such as the fault of a certificate. The text outlives the waiter.
  std::string_view detail;
  // True after a kept connection turned out to be closed: other kept ones may be closed, too.
  bool needs_fresh = false;
  // The coding of a call of Thrift.
  Coding coding = Coding::kNone;
  // True for WebSocket, which takes over a whole connection.
  bool needs_http1 = false;
};

// WaiterQueue holds waiters in the order in which they came.
class WaiterQueue {
 public:
  WaiterQueue() = default;
  WaiterQueue(const WaiterQueue&) = delete;
  WaiterQueue& operator=(const WaiterQueue&) = delete;
  ~WaiterQueue() {
    while (pop() != nullptr) {
    }
  }

  bool is_empty() const { return ring_.next_ == &ring_; }
  // True if more than `count` wait. The time grows with `count`.
  bool has_more_than(std::size_t count) const {
    const WaiterLink* at = ring_.next_;
    for (; at != &ring_ && count > 0; --count) at = at->next_;
    return at != &ring_;
  }
  void push(Waiter& waiter) {
    waiter.before_ = ring_.before_;
    waiter.next_ = &ring_;
    ring_.before_->next_ = &waiter;
    ring_.before_ = &waiter;
  }
  // Takes the first waiter out; nullptr where there is none.
  Waiter* pop() {
    if (is_empty()) return nullptr;
    Waiter* const first = static_cast<Waiter*>(ring_.next_);
    first->take_back();
    return first;
  }

 private:
  WaiterLink ring_;
};

// Pool is implemented by the wires' pools (http1_pool.hpp), and by a mock in tests.
class Pool {
 public:
  virtual ~Pool() = default;

  // Finds an exchange for the waiter.
  virtual void acquire(Waiter& waiter) = 0;
  // Closes connections that carry nothing, and others with their last exchange.
  virtual void drain() = 0;
};

}  // namespace hone::mesh
