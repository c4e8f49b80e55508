// The client's side of the beginning of connections, for programs that may wait.
#pragma once

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>

#include "connecting.hpp"
#include "connection.hpp"
#include "descriptor.hpp"
#include "hello.hpp"
#include "pairs.hpp"

namespace hone::shm {
namespace detail {

constexpr int at_most_int(std::int64_t number) {
  return static_cast<int>(std::min<std::int64_t>(number, std::numeric_limits<int>::max()));
}

// Waits for a server's answer.
inline Connection waited_for(Connecting connecting) {
  const auto began = std::chrono::steady_clock::now();
  while (connecting.is_under_way()) {
    const auto taken = std::chrono::steady_clock::now() - began;
    const auto left =
        (connecting.options().patience - std::chrono::duration_cast<std::chrono::milliseconds>(taken)).count();
    const bool has_come = left > 0 && wait(connecting.descriptor(), POLLIN, at_most_int(left)) == 0;
    has_come ? connecting.go_on() : connecting.ask_no_more();
  }
  errno = connecting.error();
  return connecting.take();
}

}  // namespace detail

// Connects to the socket at a path. Where the server gives no memory, or does not know it, the connection is an
// ordinary one. Waits for the server's answer as long as Options::patience. A connection that is not open could not be
// made, and errno has the reason. An event loop that must not wait uses Connecting.
inline Connection connect(std::string_view path, const Options& options = {}) {
  return detail::waited_for(Connecting(path, options));
}

// Connects for an event loop: where the server knows pairs, the connection is woken with the loop's others, and has
// News with this key.
inline Connection connect(std::string_view path, const Options& options, const Pairs& pairs, std::uint64_t key) {
  return detail::waited_for(Connecting(path, options, pairs, key));
}

}  // namespace hone::shm
