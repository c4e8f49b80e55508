// The server's side of the beginning of connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "connection.hpp"
#include "descriptor.hpp"
#include "hearing.hpp"
#include "hello.hpp"
#include "open_segments.hpp"
#include "pairs.hpp"

namespace hone::shm {

// Server makes connections from accepted sockets, for any number of threads.
class Server {
 public:
  // `most_segments` is the number of connections that may have memory at a time; others are ordinary ones.
  explicit Server(Options options = {}, std::size_t most_segments = 1024)
      : options_(std::make_shared<const Options>(std::move(options))),
        segments_(std::make_shared<detail::OpenSegments>(most_segments)) {}

  // Gives memory by other options from now on, to `most_segments` connections, including those that have some already.
  // Nobody else may use the server meanwhile.
  void change(Options options, std::size_t most_segments) {
    options_ = std::make_shared<const Options>(std::move(options));
    segments_->allow(most_segments);
  }

  // Makes a connection from an accepted Unix socket. The client's first bytes, which the first reads of the connection
  // take, show whether it is shared: nothing waits here.
  Connection answer(Descriptor accepted) const {
    return Connection(std::move(accepted), std::make_unique<detail::Hearing>(options_, segments_));
  }

  // Makes a connection for an event loop: where the client knows pairs, it is woken with the loop's others, and has
  // News with this key.
  Connection answer(Descriptor accepted, const Pairs& pairs, std::uint64_t key) const {
    detail::Pairing pairing{pairs.is_open() ? pairs.known() : nullptr, key};
    return Connection(std::move(accepted), std::make_unique<detail::Hearing>(options_, segments_, std::move(pairing)));
  }

  // Returns the number of connections that have memory now. A connection that has ended on this side counts until its
  // client has let go of the memory too. The memory is given back when this is called, and when another connection
  // begins or ends.
  std::size_t open_segments() const { return segments_->open(); }

 private:
  std::shared_ptr<const Options> options_;
  std::shared_ptr<detail::OpenSegments> segments_;
};

}  // namespace hone::shm
