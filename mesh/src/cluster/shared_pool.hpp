// Connections to one endpoint that carry several exchanges at once: as few as have room for the exchanges.
#pragma once

#include <memory>
#include <vector>

#include "cluster/dialler.hpp"
#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "event/graveyard.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// SharedPool belongs to one worker. The wire has the protocol to agree on by TLS (kAlpn) and the number of exchanges
// that a connection is expected to take while it is not there yet (width), and makes connections, which open exchanges
// as long as they have room.
template <class Wire>
class SharedPool final : public Pool {
 public:
  using Connection = typename Wire::Connection;

  SharedPool(Parts parts, const ConnectionSpec& spec, const Address& address)
      : parts_(parts),
        wire_(spec),
        dialler_(parts, spec, address, Wire::kAlpn,
                 {.connected = Delegate<void(std::unique_ptr<Transport>, Alpn)>::of<&SharedPool::on_connected>(*this),
                  .failed = Delegate<void(PoolFailure, std::string_view)>::of<&SharedPool::on_failed>(*this)}),
        graveyard_(parts.loop) {}
  ~SharedPool() override {
    for (std::size_t count = connections_.size(); count > 0; --count) dialler_.give_back();
  }

  void acquire(Waiter& waiter) override {
    for (const auto& connection : connections_) {
      if (give(waiter, *connection)) return;
    }
    waiters_.push(waiter);
    dial_as_needed();
  }
  void drain() override {
    for (std::size_t at = connections_.size(); at > 0; --at) connections_[at - 1]->drain();
  }
  // Takes a connection that the caller has made and counted.
  void adopt(std::unique_ptr<Transport> transport) {
    Connection& connection = *connections_.emplace_back(
        wire_.make(parts_, std::move(transport), Delegate<void(Connection&)>::template of<&SharedPool::on_room>(*this),
                   Delegate<void(Connection&)>::template of<&SharedPool::on_ended>(*this)));
    connection.start();
    on_room(connection);
  }
  std::size_t connections() const { return connections_.size() + dialler_.count(); }

 private:
  bool give(Waiter& waiter, Connection& connection) {
    Exchange* const exchange = connection.open(waiter.sink);
    if (exchange == nullptr) return false;
    waiter.take_back();
    waiter.ready(*exchange);
    return true;
  }

  void dial_as_needed() {
    while (waiters_.has_more_than(dialler_.count() * wire_.width())) {
      const PoolFailure failure = dialler_.dial_one();
      if (failure == PoolFailure::kNone) continue;
      // One of the connections that are there will have room.
      if (failure == PoolFailure::kOverflow && connections() > 0) return;
      waiters_.pop()->failed(failure);
    }
  }

  void on_connected(std::unique_ptr<Transport> transport, Alpn) { adopt(std::move(transport)); }

  // A connection that does not come about fails all that wait for it, since they would have shared it.
  void on_failed(PoolFailure failure, std::string_view detail) {
    for (std::size_t count = wire_.width(); count > 0; --count) {
      Waiter* const first = waiters_.pop();
      if (first == nullptr) return;
      first->fail(failure, detail);
    }
    dial_as_needed();
  }

  void on_room(Connection& connection) {
    while (connection.has_room()) {
      Waiter* const first = waiters_.pop();
      if (first == nullptr) return;
      give(*first, connection);
    }
  }

  void on_ended(Connection& connection) {
    graveyard_.take_from(connections_, connection);
    dialler_.give_back();
    dial_as_needed();
  }

  Parts parts_;
  Wire wire_;
  WaiterQueue waiters_;
  Dialler dialler_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Graveyard<Connection> graveyard_;
};

}  // namespace hone::mesh
