// A client's connection that is being made.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "connection.hpp"
#include "descriptor.hpp"
#include "hello.hpp"
#include "memory.hpp"
#include "page.hpp"
#include "pair.hpp"
#include "pairs.hpp"
#include "segment.hpp"

namespace hone::shm {
namespace detail {

// Connects a socket to a path. Returns none where that fails; errno has the reason.
inline Descriptor connected(std::string_view path) {
  sockaddr_un address{};
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    errno = path.empty() ? EINVAL : ENAMETOOLONG;
    return {};
  }
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket && ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    socket.reset();
    errno = error;
  }
  return socket;
}

}  // namespace detail

// Connecting asks a server for memory, in an event loop. While it is under way, wait for POLLIN of the descriptor and
// call go_on; once Options::patience is over, call ask_no_more. No call waits.
//
// Where the server gives no memory, or does not know it, the connection is an ordinary one.
class Connecting {
 public:
  // Begins with the socket at a path.
  explicit Connecting(std::string_view path, Options options = {})
      : Connecting(path, std::move(options), detail::Pairing()) {}
  // Begins a connection that, where the server knows pairs, is woken with the loop's others, and has News with this
  // key.
  Connecting(std::string_view path, Options options, const Pairs& pairs, std::uint64_t key)
      : Connecting(path, std::move(options), detail::Pairing{pairs.is_open() ? pairs.known() : nullptr, key}) {}

  bool is_under_way() const { return static_cast<bool>(socket_); }
  int descriptor() const { return socket_.get(); }
  const Options& options() const { return options_; }
  // The key of the connection's News; 0 where it is woken by itself.
  std::uint64_t key() const { return pairing_.key; }

  // Reads the bytes of the server's answer that have come.
  void go_on() {
    while (is_under_way() && there_ < answer_.size()) {
      const Transfer got = detail::receive_hello(socket_.get(), std::span(answer_).subspan(there_), files_);
      if (got.would_block()) return;
      there_ += got.bytes;
      if (got.bytes == 0 || !detail::is_hello_so_far({answer_.data(), there_})) return ask_no_more();
    }
    if (is_under_way()) end(detail::Answer::of_word(detail::word_of(answer_)));
  }

  // Connects anew, as if the server did not know memory.
  void ask_no_more() {
    if (!is_under_way()) return;
    socket_.reset();
    be(Connection(detail::connected(path_)));
  }

  // Once it is no longer under way: the connection, and the error if the connection is not open since none could be
  // made.
  Connection take() { return std::move(connection_); }
  int error() const { return error_; }

 private:
  Connecting(std::string_view path, Options options, detail::Pairing pairing)
      : path_(path), options_(std::move(options)), pairing_(std::move(pairing)), socket_(detail::connected(path)) {
    if (!socket_) {
      error_ = errno;
      return;
    }
    if (pairing_.pairs) had_ = pairing_.pairs->with_server(path);
    const detail::Hello asking = detail::hello(had_             ? had_->token()
                                               : pairing_.pairs ? detail::kHasNoPair
                                                                : detail::kKnowsNoPairs);
    if (detail::send(socket_.get(), asking).bytes != asking.size()) ask_no_more();
  }

  void be(Connection connection) {
    error_ = connection.is_open() ? 0 : errno;
    connection_ = std::move(connection);
  }

  void end(const detail::Answer& answer) {
    if (answer.ring_bytes == 0) return be(Connection(std::move(socket_)));
    std::unique_ptr<detail::Memory> memory = accepted(answer);
    const std::byte word = memory ? detail::kMapped : detail::kUnmapped;
    if (detail::send(socket_.get(), {&word, 1}).bytes != 1) return ask_no_more();
    be(memory ? Connection(std::move(socket_), std::move(memory)) : Connection(std::move(socket_)));
  }

  // Maps the files that the server has sent. Returns none where they are not those of a server, or its user may not
  // share memory.
  std::unique_ptr<detail::Memory> accepted(const detail::Answer& answer) {
    auto& [file, space, page, bell] = files_.files;
    const bool has_pair = answer.seat && files_.count == detail::kFiles + detail::kFilesOfPair;
    if (files_.count != detail::kFiles && !has_pair) return nullptr;
    if (!detail::may_share(socket_.get(), options_) || !detail::is_unix_stream(space.get())) return nullptr;
    std::optional<Segment> segment = Segment::map(file.get(), answer.ring_bytes);
    if (!segment) return nullptr;
    detail::Seat seat;
    if (answer.seat && pairing_.pairs) seat = seated(*answer.seat);
    if (answer.seat && !seat) return nullptr;
    return std::make_unique<detail::Memory>(std::move(*segment), detail::kClientWrites, std::move(space),
                                            std::move(seat));
  }

  // Seats the connection in the pair that the client had, or in a new one whose files have come. Returns none where the
  // server names no free seat, or the files are no pair.
  detail::Seat seated(std::size_t number) {
    std::shared_ptr<detail::Pair> pair = had_;
    if (files_.count == detail::kFiles + detail::kFilesOfPair) {
      Descriptor &file = files_.files[detail::kFiles], &bell = files_.files[detail::kFiles + 1];
      std::optional<detail::Page> page =
          detail::is_unix_stream(bell.get()) ? detail::Page::map(file.get()) : std::nullopt;
      if (!page) return {};
      pair = pairing_.pairs->add(std::make_shared<detail::Pair>(std::move(*page), std::move(bell), path_));
    }
    return pair && pair->sit_at(number, pairing_.key) ? detail::Seat(std::move(pair), number) : detail::Seat();
  }

  const std::string path_;
  const Options options_;
  const detail::Pairing pairing_;
  // The socket that asks.
  Descriptor socket_;
  // The pair that the client already has with the server.
  std::shared_ptr<detail::Pair> had_;
  // The bytes of the answer that have come.
  detail::Hello answer_{};
  std::size_t there_ = 0;
  detail::Files files_;
  Connection connection_;
  int error_ = 0;
};

}  // namespace hone::shm
