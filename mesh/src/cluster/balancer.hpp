// The choice of the endpoint of a cluster that gets a request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "cluster/spec.hpp"

namespace hone::mesh {

// Load is the state of an endpoint that a balancer sees.
struct Load {
  std::uint32_t weight = 1;
  // Requests of this worker that are under way.
  std::uint32_t active = 0;
  // False for an endpoint that is down, is of another level, or has failed an earlier try of the same request.
  bool may_be_picked = true;
};

// Choice holds the inputs of a pick.
struct Choice {
  Random& random;
  // The hash of the value by which the route keeps requests together; nothing where the request has no such value.
  std::optional<std::uint64_t> key = std::nullopt;
};

// Balancer picks endpoints for one worker.
class Balancer {
 public:
  virtual ~Balancer() = default;

  // Returns the index of an endpoint, nothing where none may be picked.
  virtual std::optional<std::size_t> pick(std::span<const Load> loads, const Choice& choice) = 0;
};

// Makes the balancer of a cluster.
std::unique_ptr<Balancer> make_balancer(const ClusterSpec& spec);

}  // namespace hone::mesh
