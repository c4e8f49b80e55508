// The first bytes of a server's connection, which tell whether the client asks for memory.
#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "descriptor.hpp"
#include "hello.hpp"
#include "memory.hpp"
#include "seats.hpp"
#include "segment.hpp"

namespace hone::shm::detail {

class Hearing {
 public:
  Hearing(std::shared_ptr<const Options> options, std::shared_ptr<Seats> seats)
      : options_(std::move(options)), seats_(std::move(seats)) {}

  // Whether the client was found to ask for nothing, or got nothing. Its first bytes are to be given then.
  bool is_ordinary() const { return is_ordinary_; }
  bool has_heard_nothing() const { return there_ == 0 && !offered_; }

  // The memory, once the client has mapped it.
  std::unique_ptr<Memory> memory() { return std::move(offered_); }

  // Gives first bytes that were none of a hello.
  std::size_t give(std::span<std::byte> into) {
    const std::size_t bytes = std::min(into.size(), there_ - given_);
    std::memcpy(into.data(), first_.data() + given_, bytes);
    given_ += bytes;
    return bytes;
  }
  bool is_empty() const { return given_ == there_; }

  // Reads the first bytes. Returns 0 once they have told what the connection is, EAGAIN, or another error of the
  // socket.
  int hear(int socket) {
    while (!is_ordinary_ && !offered_) {
      const Transfer got = receive(socket, std::span(first_).subspan(there_));
      if (got.error != 0) return got.error;
      there_ += got.bytes;
      if (got.is_end() || !is_hello_so_far({first_.data(), there_})) {
        is_ordinary_ = true;
      } else if (there_ == kHelloBytes) {
        if (const int error = answer(socket); error != 0) return error;
      }
    }
    return offered_ ? hear_word(socket) : 0;
  }

 private:
  // Reads the client's word on whether it has mapped the segment.
  int hear_word(int socket) {
    std::byte word{};
    const Transfer got = receive(socket, {&word, 1});
    if (got.error != 0) return got.error;
    if (got.bytes == 0 || word != kMapped) {
      offered_.reset();
      is_ordinary_ = true;
    }
    return 0;
  }

  // Offers memory, or says that there is none.
  int answer(int socket) {
    there_ = 0;
    Descriptor file;
    Descriptor theirs;
    offered_ = offer(socket, file, theirs);
    const std::array<int, kFiles> files{file.get(), theirs.get()};
    // Files cannot be sent where too many are on their way to processes that do not take them.
    if (offered_ && send_hello(socket, hello(offered_->ring_bytes()), files) == 0) return 0;
    offered_.reset();
    is_ordinary_ = true;
    return send_hello(socket, hello(0), {});
  }

  // Makes memory for the client, with the files that it gets: the segment, and its end of the socket for space.
  std::unique_ptr<Memory> offer(int socket, Descriptor& file, Descriptor& theirs) {
    if (!may_share(socket, *options_)) return nullptr;
    Seat seat = Seat::take(seats_);
    if (!seat) return nullptr;
    std::optional<Segment> segment = Segment::create(options_->ring_bytes, file);
    if (!segment) return nullptr;
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) return nullptr;
    Descriptor ours(ends[0]);
    theirs = Descriptor(ends[1]);
    return std::make_unique<Memory>(std::move(*segment), kServerWrites, std::move(ours), std::move(seat));
  }

  std::shared_ptr<const Options> options_;
  std::shared_ptr<Seats> seats_;
  // The first bytes, of which so many are there and so many given.
  std::array<std::byte, kHelloBytes> first_{};
  std::size_t there_ = 0;
  std::size_t given_ = 0;
  bool is_ordinary_ = false;
  // Waits for the client's word.
  std::unique_ptr<Memory> offered_;
};

}  // namespace hone::shm::detail
