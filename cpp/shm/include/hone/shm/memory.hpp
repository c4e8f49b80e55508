// What a shared connection has, and when its sides wake each other.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "descriptor.hpp"
#include "layout.hpp"
#include "ring.hpp"
#include "seats.hpp"
#include "segment.hpp"

namespace hone::shm {

// Room is where a writer may put bytes: nowhere with an error, which is that of Transfer.
struct Room {
  std::span<std::byte> bytes;
  int error = 0;
};

// Unread are bytes that a reader may copy: none with an error, which is that of Transfer, and none without one at the
// end.
struct Unread {
  std::span<const std::byte> bytes;
  int error = 0;
};

namespace detail {

class Memory {
 public:
  // Of a segment whose ring `written` this side writes, and this side's end of the socket for space: over that the
  // reader of what this side writes wakes it, and this side the other writer. Over the connection's socket writers wake
  // readers.
  Memory(Segment segment, std::size_t written, Descriptor space, Seat seat = {})
      : segment_(std::move(segment)),
        out_(segment_.writer(written)),
        in_(segment_.reader(kRings - 1 - written)),
        space_(std::move(space)),
        seat_(std::move(seat)) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { seat_.leave(std::move(segment_), std::move(space_)); }

  int space() const { return space_.get(); }
  std::size_t ring_bytes() const { return segment_.capacity(); }
  bool has_bytes() const { return !in_.is_empty(); }

  // Looks for bytes. Where there are none, it announces that this side is about to sleep, and looks once more whether
  // it must not.
  Unread unread(int socket) {
    Unread found = look(socket);
    for (int round = 0; found.bytes.empty() && found.error == 0; ++round) {
      in_.announce();
      found = look(socket);
      if (!found.bytes.empty() || found.error != 0) break;
      // What is left in the socket then lets nobody sleep.
      if (round == kMostRounds) return {{}, EAGAIN};
      const int taken = take_wakes(socket);
      if (taken == EAGAIN) return {{}, EAGAIN};
      // What was written before the end is still there.
      if (taken == EPIPE) return look(socket);
    }
    return found;
  }

  void read(std::size_t bytes) {
    if (in_.read(bytes)) wake(space_.get());
  }

  // Looks for room in the same way.
  Room room(int socket) {
    Room found = look_for_room(socket);
    for (int round = 0; found.bytes.empty() && found.error == 0; ++round) {
      out_.announce();
      found = look_for_room(socket);
      if (!found.bytes.empty() || found.error != 0) break;
      if (round == kMostRounds) return {{}, EAGAIN};
      const int taken = take_wakes(space_.get());
      if (taken != 0) return {{}, taken};
    }
    return found;
  }

  void wrote(int socket, std::size_t bytes) {
    if (out_.wrote(bytes)) wake(socket);
  }

  // Ends the connection for both sides. Space tells still when the other one lets go of it.
  void shut_down(int socket) {
    ::shutdown(socket, SHUT_RDWR);
    ::shutdown(space_.get(), SHUT_WR);
  }

 private:
  Unread look(int socket) {
    const auto unread = is_broken_ ? std::nullopt : in_.unread();
    if (!unread) return {{}, broken(socket)};
    return {*unread, 0};
  }

  Room look_for_room(int socket) {
    const auto room = is_broken_ ? std::nullopt : out_.room();
    if (!room) return {{}, broken(socket)};
    return {*room, 0};
  }

  int broken(int socket) {
    if (!std::exchange(is_broken_, true)) shut_down(socket);
    return EPROTO;
  }

  Segment segment_;
  RingWriter out_;
  RingReader in_;
  Descriptor space_;
  Seat seat_;
  bool is_broken_ = false;
};

}  // namespace detail
}  // namespace hone::shm
