// A file descriptor with its owner, and calls on the sockets of a connection.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <span>
#include <utility>

namespace hone::shm {

// Descriptor owns a file, which its destructor closes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    other.reset();
    return *this;
  }
  ~Descriptor() { reset(); }

  void reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// Transfer is the result of a read or write that does not wait. No bytes and no error are the end of the stream.
struct Transfer {
  std::size_t bytes = 0;
  // Number of the system's error: EAGAIN where there is nothing to read, or no room to write; EPIPE where nobody will
  // read the written bytes; EPROTO where the other side has broken the memory, which ends the connection; or an error
  // of the socket.
  int error = 0;

  bool would_block() const { return error == EAGAIN; }
  bool is_end() const { return bytes == 0 && error == 0; }
};

namespace detail {

// Makes a call again that a signal has interrupted.
template <class Call>
Transfer transferred(Call call) {
  for (;;) {
    const ssize_t n = call();
    if (n >= 0) return {static_cast<std::size_t>(n), 0};
    if (errno != EINTR) return {0, errno};
  }
}

inline Transfer receive(int socket, std::span<std::byte> into) {
  return transferred([&] { return ::recv(socket, into.data(), into.size(), MSG_DONTWAIT); });
}

inline Transfer send(int socket, std::span<const std::byte> from) {
  return transferred([&] { return ::send(socket, from.data(), from.size(), MSG_DONTWAIT | MSG_NOSIGNAL); });
}

// Makes both ends of a socket for wake-ups. Returns false where the system has no descriptors.
inline bool socket_pair(Descriptor& ours, Descriptor& theirs) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) return false;
  ours = Descriptor(ends[0]);
  theirs = Descriptor(ends[1]);
  return true;
}

// Wakes the other side. Where the socket takes nothing more, that side has been woken often enough, or has ended, which
// its reader sees.
inline void wake(int socket) {
  const std::byte one{1};
  send(socket, {&one, 1});
}

// Takes the wake-ups of this side. Returns 0, EAGAIN where there are none, or EPIPE where the other side has ended.
inline int take_wakes(int socket) {
  std::array<std::byte, 64> wakes;
  const Transfer taken = receive(socket, wakes);
  if (taken.bytes > 0) return 0;
  return taken.would_block() ? EAGAIN : EPIPE;
}

// The number of times that a side which is woken without a reason looks again: the other side may send more wake-ups
// than anybody takes.
inline constexpr int kMostRounds = 16;

// True if the other side has closed its end of a socket for wake-ups.
inline bool has_other_ended(int socket) {
  int taken = 0;
  for (int round = 0; round < kMostRounds && taken == 0; ++round) taken = take_wakes(socket);
  return taken == EPIPE;
}

// Waits until a socket has one of these events, for `timeout_ms` milliseconds at most; for ever with -1. Returns 0,
// ETIMEDOUT, or the system's error.
inline int wait(int socket, short events, int timeout_ms) {
  pollfd waited{socket, events, 0};
  const Transfer came = transferred([&] { return ::poll(&waited, 1, timeout_ms); });
  if (came.error != 0) return came.error;
  return came.bytes == 0 ? ETIMEDOUT : 0;
}

}  // namespace detail
}  // namespace hone::shm
