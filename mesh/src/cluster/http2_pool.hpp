// Connections of HTTP/2 to one endpoint.
#pragma once

#include "cluster/shared_pool.hpp"
#include "wire/http1/client.hpp"
#include "wire/http2/connection.hpp"

namespace hone::mesh {

// Http2Wire makes connections of HTTP/2.
class Http2Wire {
 public:
  using Connection = http2::Connection;
  static constexpr Alpn kAlpn = Alpn::kHttp2;

  explicit Http2Wire(const ConnectionSpec& spec)
      : limits_{.fields = http1::kMostResponseFields, .streams = 0, .idle = spec.idle_timeout} {}

  // The number of exchanges that servers usually allow.
  std::size_t width() const { return 100; }
  std::unique_ptr<Connection> make(Parts parts, std::unique_ptr<Transport> transport, Delegate<void(Connection&)> room,
                                   Delegate<void(Connection&)> ended) const {
    const http2::Events events{.open = {}, .room = room, .ended = ended};
    return std::make_unique<Connection>(Connection::Side::kClient, parts.loop, parts.buffers, parts.blocks,
                                        std::move(transport), limits_, events);
  }

 private:
  http2::Limits limits_;
};

using Http2Pool = SharedPool<Http2Wire>;

}  // namespace hone::mesh
