// A client's side of how connections begin.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
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

// Connects a socket to a path. None where that fails; errno tells.
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

constexpr int at_most_int(std::int64_t number) {
  return static_cast<int>(std::min<std::int64_t>(number, std::numeric_limits<int>::max()));
}

// Receives a server's answer and the files that come with it. None of a server that does not know shared memory.
inline std::optional<Answer> answer_of(int socket, std::chrono::milliseconds patience, Files& files) {
  const auto began = std::chrono::steady_clock::now();
  Hello answer;
  for (std::size_t there = 0; there < answer.size();) {
    const Transfer got = receive_hello(socket, std::span(answer).subspan(there), files);
    if (got.would_block()) {
      const auto taken = std::chrono::steady_clock::now() - began;
      const auto left = (patience - std::chrono::duration_cast<std::chrono::milliseconds>(taken)).count();
      if (left <= 0 || wait(socket, POLLIN, at_most_int(left)) != 0) return std::nullopt;
      continue;
    }
    there += got.bytes;
    if (got.bytes == 0 || !is_hello_so_far({answer.data(), there})) return std::nullopt;
  }
  return Answer::of_word(word_of(answer));
}

// Seats a connection in the pair that the client had, or in a new one, of which files have come. None where the server
// names no seat that is free, or has sent what is no pair.
inline Seat seated(std::string_view path, std::size_t number, std::shared_ptr<Pair> had, const Pairing& pairing,
                   Files& files) {
  if (files.count == kFiles + kFilesOfPair) {
    Descriptor &file = files.files[kFiles], &bell = files.files[kFiles + 1];
    std::optional<Page> page = is_unix_stream(bell.get()) ? Page::map(file.get()) : std::nullopt;
    if (!page) return {};
    had = pairing.pairs->add(std::make_shared<Pair>(std::move(*page), std::move(bell), path));
  }
  return had && had->sit_at(number, pairing.key) ? Seat(std::move(had), number) : Seat();
}

// Maps what a server has sent. None where it is not what a server sends, or its user may not share memory. `seat` gives
// the connection the seat that the server names.
template <class GiveSeat>
std::unique_ptr<Memory> accepted(int socket, const Answer& answer, Files& files, const Options& options,
                                 GiveSeat seat) {
  auto& [file, space, page, bell] = files.files;
  if (files.count != kFiles && !(answer.seat && files.count == kFiles + kFilesOfPair)) return nullptr;
  if (!may_share(socket, options) || !is_unix_stream(space.get())) return nullptr;
  std::optional<Segment> segment = Segment::map(file.get(), answer.ring_bytes);
  if (!segment) return nullptr;
  Seat in_pair;
  if (answer.seat && !(in_pair = seat(*answer.seat))) return nullptr;
  return std::make_unique<Memory>(std::move(*segment), kClientWrites, std::move(space), std::move(in_pair));
}

// Asks for memory. None of a server that does not know how, whose connection is of no more use.
inline std::optional<Connection> asked(std::string_view path, Descriptor socket, const Options& options,
                                       const Pairing& pairing) {
  const std::shared_ptr<Pair> had = pairing.pairs ? pairing.pairs->with_server(path) : nullptr;
  const Hello asking = hello(had ? had->token() : pairing.pairs ? kHasNoPair : kKnowsNoPairs);
  if (send(socket.get(), asking).bytes != asking.size()) return std::nullopt;
  Files files;
  const std::optional<Answer> answer = answer_of(socket.get(), options.patience, files);
  if (!answer) return std::nullopt;
  if (answer->ring_bytes == 0) return Connection(std::move(socket));
  std::unique_ptr<Memory> memory = accepted(socket.get(), *answer, files, options, [&](std::size_t number) {
    return pairing.pairs ? seated(path, number, had, pairing, files) : Seat();
  });
  const std::byte word = memory ? kMapped : kUnmapped;
  if (send(socket.get(), {&word, 1}).bytes != 1) return std::nullopt;
  if (!memory) return Connection(std::move(socket));
  return Connection(std::move(socket), std::move(memory));
}

inline Connection connect(std::string_view path, const Options& options, const Pairing& pairing) {
  Descriptor socket = connected(path);
  if (!socket) return {};
  if (std::optional<Connection> made = asked(path, std::move(socket), options, pairing)) return std::move(*made);
  return Connection(connected(path));
}

}  // namespace detail

// Connects to the socket at a path. Where the server gives no memory, or does not know it, the connection is an
// ordinary one. It waits for a server's answer as long as Options::patience; one that is not open could not be made,
// and errno tells why.
inline Connection connect(std::string_view path, const Options& options = {}) {
  return detail::connect(path, options, {});
}

// The same for a connection of an event loop: where the server knows pairs, it is woken with the loop's others, and has
// News with this key.
inline Connection connect(std::string_view path, const Options& options, const Pairs& pairs, std::uint64_t key) {
  return detail::connect(path, options, {pairs.is_open() ? pairs.known() : nullptr, key});
}

}  // namespace hone::shm
