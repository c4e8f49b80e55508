// The number of connections of a server that have memory, including those that have ended on this side alone: their
// clients may still read, and could otherwise keep the memory uncounted, at the cost of this process.
#pragma once

#include <cerrno>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "descriptor.hpp"
#include "pair.hpp"
#include "segment.hpp"

namespace hone::shm::detail {

class OpenSegments {
 public:
  explicit OpenSegments(std::size_t most) : most_(most) {}

  // Lets `most` connections have memory from now on. Others that have memory keep it.
  void allow(std::size_t most) {
    const std::lock_guard lock(mutex_);
    most_ = most;
  }

  bool take() {
    const std::lock_guard lock(mutex_);
    give_back();
    if (open_ >= most_) return false;
    // The place is reserved now, so that nothing allocates when a connection ends.
    ended_.reserve(open_ + 1);
    ++open_;
    return true;
  }

  // Forgets a segment that was never used.
  void release() {
    const std::lock_guard lock(mutex_);
    --open_;
  }

  // Ended is the part of a connection that is kept for as long as the other side may use its memory.
  struct Ended {
    Segment segment;
    Descriptor space;
    Seat seat;
  };

  // Keeps memory until the other side has closed its end of the socket for space too.
  void keep(Ended ended) {
    const std::lock_guard lock(mutex_);
    ended_.push_back(std::move(ended));
    give_back();
  }

  std::size_t open() {
    const std::lock_guard lock(mutex_);
    give_back();
    return open_;
  }

 private:
  void give_back() {
    open_ -= std::erase_if(ended_, [](const Ended& one) {
      if (!has_other_ended(one.space.get())) return false;
      one.segment.empty();
      return true;
    });
  }

  std::mutex mutex_;
  std::size_t most_;
  std::size_t open_ = 0;
  std::vector<Ended> ended_;
};

// OpenSegment is the place of one connection in the number of OpenSegments. A client's memory has none.
class OpenSegment {
 public:
  OpenSegment() = default;

  static OpenSegment take(std::shared_ptr<OpenSegments> segments) {
    OpenSegment open;
    if (segments->take()) open.segments_ = std::move(segments);
    return open;
  }

  OpenSegment(OpenSegment&&) noexcept = default;
  OpenSegment& operator=(OpenSegment&&) = delete;
  ~OpenSegment() {
    if (segments_) segments_->release();
  }

  // Leaves the memory of a connection that has ended on this side, where the other side may still use it.
  void leave(Segment&& segment, Descriptor&& space, Seat&& seat) {
    if (segments_) std::exchange(segments_, nullptr)->keep({std::move(segment), std::move(space), std::move(seat)});
  }

  explicit operator bool() const { return segments_ != nullptr; }

 private:
  std::shared_ptr<OpenSegments> segments_;
};

}  // namespace hone::shm::detail
