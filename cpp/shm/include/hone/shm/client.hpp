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
inline std::optional<Hello> answer_of(int socket, std::chrono::milliseconds patience, Files& files) {
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
  return answer;
}

// Maps what a server has sent. None where it is not what a server sends, or its user may not share memory.
inline std::unique_ptr<Memory> accepted(int socket, std::uint64_t ring_bytes, Files files, const Options& options) {
  auto& [file, space] = files.files;
  if (files.count != kFiles || !may_share(socket, options) || !is_unix_stream(space.get())) return nullptr;
  std::optional<Segment> segment = Segment::map(file.get(), ring_bytes);
  if (!segment) return nullptr;
  return std::make_unique<Memory>(std::move(*segment), kClientWrites, std::move(space));
}

// Asks for memory. None of a server that does not know how, whose connection is of no more use.
inline std::optional<Connection> asked(Descriptor socket, const Options& options) {
  const Hello asking = hello(0);
  if (send(socket.get(), asking).bytes != asking.size()) return std::nullopt;
  Files files;
  const std::optional<Hello> answer = answer_of(socket.get(), options.patience, files);
  if (!answer) return std::nullopt;
  const std::uint64_t ring_bytes = ring_bytes_of(*answer);
  if (ring_bytes == 0) return Connection(std::move(socket));
  std::unique_ptr<Memory> memory = accepted(socket.get(), ring_bytes, std::move(files), options);
  const std::byte word = memory ? kMapped : kUnmapped;
  if (send(socket.get(), {&word, 1}).bytes != 1) return std::nullopt;
  if (!memory) return Connection(std::move(socket));
  return Connection(std::move(socket), std::move(memory));
}

}  // namespace detail

// Connects to the socket at a path. Where the server gives no memory, or does not know it, the connection is an
// ordinary one. It waits for a server's answer as long as Options::patience; one that is not open could not be made,
// and errno tells why.
inline Connection connect(std::string_view path, const Options& options = {}) {
  Descriptor socket = detail::connected(path);
  if (!socket) return {};
  if (std::optional<Connection> made = detail::asked(std::move(socket), options)) return std::move(*made);
  return Connection(detail::connected(path));
}

}  // namespace hone::shm
