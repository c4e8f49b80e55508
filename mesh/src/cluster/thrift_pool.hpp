// Connections of Thrift to one endpoint.
#pragma once

#include "cluster/shared_pool.hpp"
#include "wire/thrift/connection.hpp"

namespace hone::mesh {

// ThriftWire makes connections of Thrift, of which each carries as many calls at once as the cluster allows.
class ThriftWire {
 public:
  using Connection = thrift::Connection;
  static constexpr Alpn kAlpn = Alpn::kNone;

  explicit ThriftWire(const ConnectionSpec& spec)
      : carrier_(spec.protocol == Protocol::kFramed ? thrift::Carrier::kFramed : thrift::Carrier::kHeader),
        limits_{.message = spec.limits.message, .calls = spec.limits.calls, .idle = spec.idle_timeout} {}

  std::size_t width() const { return limits_.calls; }
  std::unique_ptr<Connection> make(Parts parts, std::unique_ptr<Transport> transport, Delegate<void(Connection&)> room,
                                   Delegate<void(Connection&)> ended) const {
    const thrift::Events events{.open = {}, .refused = {}, .room = room, .ended = ended};
    return std::make_unique<Connection>(Connection::Side::kClient, carrier_, parts.loop, parts.buffers, parts.blocks,
                                        std::move(transport), limits_, events);
  }

 private:
  thrift::Carrier carrier_;
  thrift::Limits limits_;
};

// ThriftPool has connections for each coding: servers take the coding of a connection's first message for that of all.
class ThriftPool final : public Pool {
 public:
  ThriftPool(Parts parts, const ConnectionSpec& spec, const Address& address)
      : binary_(parts, spec, address), compact_(parts, spec, address) {}

  void acquire(Waiter& waiter) override {
    waiter.coding == Coding::kCompact ? compact_.acquire(waiter) : binary_.acquire(waiter);
  }
  void drain() override {
    binary_.drain();
    compact_.drain();
  }

 private:
  SharedPool<ThriftWire> binary_;
  SharedPool<ThriftWire> compact_;
};

}  // namespace hone::mesh
