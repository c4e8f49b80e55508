// How many connections of a server have memory, those included that have ended on this side alone: their clients may
// still read, and could keep the memory otherwise, uncounted, and at the cost of this process.
#pragma once

#include <cerrno>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "descriptor.hpp"
#include "segment.hpp"

namespace hone::shm::detail {

class Seats {
 public:
  explicit Seats(std::size_t most) : most_(most) {}

  bool take() {
    const std::lock_guard lock(mutex_);
    give_back();
    if (open_ >= most_) return false;
    // So that nothing allocates when a connection ends.
    ended_.reserve(open_ + 1);
    ++open_;
    return true;
  }

  // Gives a seat back that was never used.
  void release() {
    const std::lock_guard lock(mutex_);
    --open_;
  }

  // Keeps memory until the other side has closed its end of the socket for space too.
  void keep(Segment segment, Descriptor space) {
    const std::lock_guard lock(mutex_);
    ended_.push_back({std::move(segment), std::move(space)});
    give_back();
  }

  std::size_t open() {
    const std::lock_guard lock(mutex_);
    give_back();
    return open_;
  }

 private:
  struct Ended {
    Segment segment;
    Descriptor space;
  };

  void give_back() {
    open_ -= std::erase_if(ended_, [](const Ended& one) {
      if (!has_other_ended(one.space.get())) return false;
      one.segment.empty();
      return true;
    });
  }

  std::mutex mutex_;
  const std::size_t most_;
  std::size_t open_ = 0;
  std::vector<Ended> ended_;
};

// Seat is that of one connection. A client's memory has none.
class Seat {
 public:
  Seat() = default;

  static Seat take(std::shared_ptr<Seats> seats) {
    Seat seat;
    if (seats->take()) seat.seats_ = std::move(seats);
    return seat;
  }

  Seat(Seat&&) noexcept = default;
  Seat& operator=(Seat&&) = delete;
  ~Seat() {
    if (seats_) seats_->release();
  }

  // Leaves the memory of a connection that has ended on this side.
  void leave(Segment segment, Descriptor space) {
    if (seats_) std::exchange(seats_, nullptr)->keep(std::move(segment), std::move(space));
  }

  explicit operator bool() const { return seats_ != nullptr; }

 private:
  std::shared_ptr<Seats> seats_;
};

}  // namespace hone::shm::detail
