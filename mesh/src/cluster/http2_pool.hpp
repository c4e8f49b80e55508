// Connections of HTTP/2 to one endpoint: one, on which all exchanges go, and others only where it has no room.
#pragma once

#include <memory>
#include <vector>

#include "cluster/dialler.hpp"
#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "event/graveyard.hpp"
#include "net/parts.hpp"
#include "wire/http2/connection.hpp"

namespace hone::mesh {

// Http2Pool belongs to one worker.
class Http2Pool final : public Pool {
 public:
  Http2Pool(Parts parts, const ClusterSpec& cluster, const EndpointSpec& endpoint);
  ~Http2Pool() override;

  void acquire(Waiter& waiter) override;
  void drain() override;
  // Takes a connection that somebody else has made, and counted.
  void adopt(std::unique_ptr<Transport> transport);
  std::size_t connections() const { return connections_.size() + dialler_.count(); }

 private:
  using Connection = http2::Connection;

  bool give(Waiter& waiter, Connection& connection);
  void dial_as_needed();
  void on_connected(std::unique_ptr<Transport> transport, Alpn) { adopt(std::move(transport)); }
  void on_failed(PoolFailure failure, std::string_view detail);
  void on_room(Connection& connection);
  void on_ended(Connection& connection);

  Parts parts_;
  http2::Limits limits_;
  WaiterQueue waiters_;
  Dialler dialler_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Graveyard<Connection> graveyard_;
};

}  // namespace hone::mesh
