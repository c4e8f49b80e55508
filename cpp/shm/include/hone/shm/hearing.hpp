// Reads the first bytes of a server's connection, which tell whether the client asks for memory.
#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "descriptor.hpp"
#include "hello.hpp"
#include "memory.hpp"
#include "open_segments.hpp"
#include "pairs.hpp"
#include "segment.hpp"

namespace hone::shm::detail {

class Hearing {
 public:
  Hearing(std::shared_ptr<const Options> options, std::shared_ptr<OpenSegments> segments, Pairing pairing = {})
      : options_(std::move(options)), segments_(std::move(segments)), pairing_(std::move(pairing)) {}

  // True if the client asks for no memory, or got none. Its first bytes are then to be taken with give.
  bool is_ordinary() const { return is_ordinary_; }
  bool has_heard_nothing() const { return there_ == 0 && !offered_; }

  // The memory, once the client has mapped it.
  std::unique_ptr<Memory> memory() { return std::move(offered_); }

  // Gives the first bytes, which were no hello.
  std::size_t give(std::span<std::byte> into) {
    const std::size_t bytes = std::min(into.size(), there_ - given_);
    std::memcpy(into.data(), first_.data() + given_, bytes);
    given_ += bytes;
    return bytes;
  }
  bool is_empty() const { return given_ == there_; }

  // Reads the first bytes. Returns 0 once they show whether the connection is shared, EAGAIN, or another error of the
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
    Files files;
    offered_ = offer(socket, word_of(first_), files);
    // Files cannot be sent where too many are on their way to processes that do not take them.
    if (offered_ && send_hello(socket, hello(offered_->answer().word()), files) == 0) return 0;
    offered_.reset();
    is_ordinary_ = true;
    return send_hello(socket, hello(Answer{}.word()));
  }

  // Makes memory for the client, with the files that it gets: the segment, its end of the socket for space, and those
  // of a new pair.
  std::unique_ptr<Memory> offer(int socket, std::uint64_t token, Files& files) {
    if (!may_share(socket, *options_)) return nullptr;
    OpenSegment open = OpenSegment::take(segments_);
    if (!open) return nullptr;
    Descriptor file, ours, theirs;
    std::optional<Segment> segment = Segment::create(options_->ring_bytes, file);
    if (!segment || !socket_pair(ours, theirs)) return nullptr;
    files.take(std::move(file));
    files.take(std::move(theirs));
    Seat seat;
    if (pairing_.pairs && token != kKnowsNoPairs) seat = pairing_.pairs->seat(socket, token, pairing_.key, files);
    return std::make_unique<Memory>(std::move(*segment), kServerWrites, std::move(ours), std::move(seat),
                                    std::move(open));
  }

  std::shared_ptr<const Options> options_;
  std::shared_ptr<OpenSegments> segments_;
  Pairing pairing_;
  // The first bytes, with the number of those that have come and of those that were given.
  Hello first_{};
  std::size_t there_ = 0;
  std::size_t given_ = 0;
  bool is_ordinary_ = false;
  // The memory for which the client's word has not come yet.
  std::unique_ptr<Memory> offered_;
};

}  // namespace hone::shm::detail
