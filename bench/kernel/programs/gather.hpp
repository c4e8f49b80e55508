// Frames of one connection, on their way in and out: what a server that gathers does with what one read gave.
#pragma once

#include "common.hpp"

namespace experiment {

// Room for the answers to all calls that may be under way on one connection.
class Answers {
 public:
  Answers(char* room, size_t capacity) : room_(room), capacity_(capacity) {}

  // Answers the whole frames of what was read, behind what came before; a handler copies its answer here.
  // Returns how many frames these were.
  size_t Take(const char* data, size_t bytes) {
    size_t before = used_ / kFrameBytes;
    if (used_ + bytes > capacity_) {
      std::fprintf(stderr, "more calls came than --callers says\n");
      std::exit(1);
    }
    std::memcpy(room_ + used_, data, bytes);
    used_ += bytes;
    for (size_t at = before; at < used_ / kFrameBytes; ++at) {
      FrameHead head;
      std::memcpy(&head, room_ + at * kFrameBytes, sizeof head);
      ++head.answers;
      std::memcpy(room_ + at * kFrameBytes, &head, sizeof head);
    }
    return used_ / kFrameBytes - before;
  }

  const char* data() const { return room_ + sent_; }
  // Bytes of whole frames that were not sent yet.
  size_t whole_bytes() const { return used_ / kFrameBytes * kFrameBytes - sent_; }

  // Forgets the frames that were sent whole, so that what is left moves to the front.
  void Sent(size_t bytes) {
    size_t done = (sent_ + bytes) / kFrameBytes * kFrameBytes;
    sent_ = (sent_ + bytes) % kFrameBytes;
    std::memmove(room_, room_ + done, used_ - done);
    used_ -= done;
  }
  // Moves the begin of a frame that is not whole yet to other answers, which are empty.
  void MoveRest(Answers& to) {
    size_t whole = used_ / kFrameBytes * kFrameBytes;
    std::memcpy(to.room_, room_ + whole, used_ - whole);
    to.used_ = used_ - whole;
    used_ = whole;
  }

 private:
  char* room_;
  size_t capacity_;
  size_t used_ = 0;
  size_t sent_ = 0;
};

// What a server did from its last accept until its first connection ended.
struct Served {
  uint64_t frames = 0, reads = 0, writes = 0, waits = 0;
  Used start = Used::Now();

  void Tell() const {
    experiment::Tell(Used::Now().Since(start), {{"frames", double(frames)},
                                                {"reads", double(reads)},
                                                {"writes", double(writes)},
                                                {"waits", double(waits)}});
  }
};

inline size_t AnswerBytes(const Options& options) {
  long callers = options.Number("--callers", 1), connections = options.Number("--connections", 1);
  return ((callers + connections - 1) / connections + 1) * kFrameBytes;
}

void ServeByEpoll(const Options& options, const std::vector<int>& sockets);
void ServeByRing(const Options& options, const std::vector<int>& sockets);

}  // namespace experiment
