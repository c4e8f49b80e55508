// Connections to one endpoint that are being made.
#pragma once

#include <memory>
#include <vector>

#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "event/graveyard.hpp"
#include "net/handshake.hpp"
#include "net/parts.hpp"
#include "net/socket.hpp"

namespace hone::mesh {

// Dialler keeps to the cluster's limit of connections, and counts those that it has made until they are given back.
class Dialler {
 public:
  struct Events {
    // A connection came about, with the protocol that was agreed on by TLS; kNone where the cluster has no TLS.
    Delegate<void(std::unique_ptr<Transport>, Alpn)> connected;
    Delegate<void(PoolFailure, std::string_view)> failed;
  };
  Dialler(Parts parts, const ConnectionSpec& spec, const Address& address, Alpn offered, Events events);
  ~Dialler();

  // Begins to connect. Returns the reason why it cannot, and then calls no event; kNone where it has begun.
  PoolFailure dial_one();
  std::size_t count() const { return under_way_.size(); }
  // Notes that a connection that came about has ended.
  void give_back() { spec_.totals->connections.fetch_sub(1, std::memory_order_relaxed); }

 private:
  struct Attempt;

  bool may_share() const { return address_.shares_memory() && parts_.shared_memory != nullptr; }
  PoolFailure ask_for_memory();
  // Has an attempt go on when its descriptor is ready as `awaited`, or when its time is over.
  PoolFailure begin(std::unique_ptr<Attempt> attempt, Ready awaited);
  void succeeded(Attempt& attempt, std::unique_ptr<Transport> transport, Alpn agreed);
  void failed(Attempt& attempt, PoolFailure failure, std::string_view detail);

  Parts parts_;
  const ConnectionSpec spec_;
  const Address address_;
  const Alpn offered_;
  const Events events_;
  // The session of TLS that the next connection takes up.
  const std::shared_ptr<TlsSession> session_;
  // The time from which on the server is asked for memory again.
  Moment asks_again_{};
  std::vector<std::unique_ptr<Attempt>> under_way_;
  Graveyard<Attempt> graveyard_;
};

}  // namespace hone::mesh
