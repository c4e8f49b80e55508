// Connections of HTTP/1 to one endpoint: the one that was used last is used next, so that spare ones grow old.
#pragma once

#include <memory>
#include <vector>

#include "cluster/dialler.hpp"
#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "event/graveyard.hpp"
#include "net/parts.hpp"
#include "wire/http1/client.hpp"

namespace hone::mesh {

// Http1Pool belongs to one worker.
class Http1Pool final : public Pool {
 public:
  Http1Pool(Parts parts, const ConnectionSpec& spec, const Address& address);
  ~Http1Pool() override;

  void acquire(Waiter& waiter) override;
  void drain() override;
  // Takes a connection that the caller has made and counted.
  void adopt(std::unique_ptr<Transport> transport);
  std::size_t connections() const { return connections_.size() + dialler_.count(); }

 private:
  using Connection = http1::ClientConnection;

  void dial_as_needed();
  void on_connected(std::unique_ptr<Transport> transport, Alpn) { adopt(std::move(transport)); }
  void on_failed(PoolFailure failure, std::string_view detail);
  void serve(Connection& connection);
  void on_ended(Connection& connection);
  void close_old();

  Parts parts_;
  const Duration idle_timeout_;
  WaiterQueue waiters_;
  Dialler dialler_;
  std::vector<std::unique_ptr<Connection>> connections_;
  // The connections that carry nothing, the last used at the end.
  std::vector<Connection*> idle_;
  Timer old_;
  Graveyard<Connection> graveyard_;
  bool is_draining_ = false;
};

}  // namespace hone::mesh
