// Checks whether an endpoint is well, made by the main thread for all workers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cluster/asker.hpp"
#include "cluster/spec.hpp"
#include "net/descriptor.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// Returns the status in an answer of grpc.health.v1.Health/Check, 1 for SERVING; nothing where it is no such answer.
std::optional<std::uint64_t> parse_grpc_health(std::string_view body);

// HealthCheck checks one endpoint in its cluster's intervals. The endpoint counts as well until checks have failed
// often enough.
class HealthCheck {
 public:
  // Checks of TCP, which only connect, do not use the pool.
  HealthCheck(Parts parts, const ClusterSpec& cluster, const EndpointSpec& endpoint, std::unique_ptr<Pool> pool);
  // True if the check is for this endpoint, with the cluster's present rule and connections.
  bool is_for(const ClusterSpec& cluster, const EndpointSpec& endpoint) const;
  ~HealthCheck();

 private:
  // Connecting is a connection that only has to come about.
  struct Connecting {
    Connecting(Descriptor connecting, Delegate<void(Ready)> ready)
        : socket(std::move(connecting)), watch(socket.get(), ready) {}
    Descriptor socket;
    Watch watch;
  };

  void ask();
  void connect();
  void disconnect();
  void on_connected(Ready);
  void on_timeout();
  void on_answer(const Answer& answer);
  void end(bool is_well);
  Moment after(Duration pause) const;

  Parts parts_;
  const ConnectionSpec connection_;
  const Address address_;
  const HealthRule rule_;
  const std::shared_ptr<EndpointHealth> health_;
  const std::shared_ptr<ClusterHealth> cluster_health_;
  const std::string authority_;
  // The request of a check of gRPC, in its frame.
  const std::string message_;
  Asker asker_;
  Timer next_;
  Timer timeout_;
  std::optional<Connecting> connecting_;
  // The number of checks in a row whose outcome differs from the present state of the endpoint.
  std::uint32_t in_a_row_ = 0;
};

}  // namespace hone::mesh
