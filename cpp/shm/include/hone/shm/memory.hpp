// The memory of a shared connection, and the wake-ups between its sides.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "descriptor.hpp"
#include "hello.hpp"
#include "layout.hpp"
#include "open_segments.hpp"
#include "pair.hpp"
#include "ring.hpp"
#include "segment.hpp"

namespace hone::shm {

// Room is the place where a writer may put bytes: empty with an error, which is one of Transfer's.
struct Room {
  std::span<std::byte> bytes;
  int error = 0;
};

// Unread are bytes that a reader may copy: none with an error, which is one of Transfer's, and none without an error at
// the end of the stream.
struct Unread {
  std::span<const std::byte> bytes;
  int error = 0;
};

namespace detail {

class Memory {
 public:
  // Takes a segment whose ring `written` this side writes, and this side's end of the socket for space, over which each
  // reader wakes the writer of its ring. Over the connection's socket writers wake readers. With a seat in a pair,
  // notices wake both in place of the sockets.
  Memory(Segment segment, std::size_t written, Descriptor space, Seat seat = {}, OpenSegment open = {})
      : segment_(std::move(segment)),
        out_(segment_.writer(written)),
        in_(segment_.reader(kRings - 1 - written)),
        space_(std::move(space)),
        seat_(std::move(seat)),
        open_(std::move(open)) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { open_.leave(std::move(segment_), std::move(space_), std::move(seat_)); }

  int space() const { return space_.get(); }
  // A server's answer about this memory.
  Answer answer() const {
    return {segment_.capacity(), seat_ ? std::optional<std::size_t>(seat_.number()) : std::nullopt};
  }
  bool is_paired() const { return static_cast<bool>(seat_); }
  bool has_bytes() const { return !in_.is_empty(); }

  // Looks for bytes. Where there are none, announces that this side is about to sleep, and looks once more.
  Unread unread(int socket) {
    Unread found = look(socket);
    for (int round = 0; found.bytes.empty() && found.error == 0; ++round) {
      in_.announce();
      found = look(socket);
      if (!found.bytes.empty() || found.error != 0) break;
      // The wake-ups that are left in the socket then keep this side from sleeping.
      if (round == kMostRounds) return {{}, EAGAIN};
      const int taken = wakes(socket);
      if (taken == EAGAIN) return {{}, EAGAIN};
      // Bytes that were written before the end are still there.
      if (taken == EPIPE) return look(socket);
    }
    return found;
  }

  void read(std::size_t bytes) {
    if (in_.read(bytes)) tell(kNewRoom, space_.get());
  }

  // Looks for room in the same way.
  Room room(int socket) {
    Room found = look_for_room(socket);
    for (int round = 0; found.bytes.empty() && found.error == 0; ++round) {
      out_.announce();
      found = look_for_room(socket);
      if (!found.bytes.empty() || found.error != 0) break;
      if (round == kMostRounds) return {{}, EAGAIN};
      const int taken = wakes(space_.get());
      if (taken != 0) return {{}, taken};
    }
    return found;
  }

  void wrote(int socket, std::size_t bytes) {
    if (out_.wrote(bytes)) tell(kNewBytes, socket);
  }

  // Ends the connection for both sides. The socket for space still tells when the other side lets go of it.
  void shut_down(int socket) {
    ::shutdown(socket, SHUT_RDWR);
    ::shutdown(space_.get(), SHUT_WR);
    tell_end();
  }

  // Tells the other side that a socket has ended, where it does not wait for the sockets.
  void tell_end() const {
    if (seat_) seat_.post(kEnd);
  }

 private:
  // Takes the wake-ups of this side, over a socket or by a notice of the pair. Returns 0, EAGAIN or EPIPE.
  int wakes(int socket) const { return seat_ ? seat_.wakes(socket) : take_wakes(socket); }

  // Wakes the other side.
  void tell(std::size_t notice, int socket) const {
    if (seat_) {
      seat_.post(notice);
    } else {
      wake(socket);
    }
  }

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
  // The seat is left before space is closed, since the other side may then give the seat to another connection.
  Seat seat_;
  OpenSegment open_;
  bool is_broken_ = false;
};

}  // namespace detail
}  // namespace hone::shm
