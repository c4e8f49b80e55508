// Which endpoint of a cluster gets a request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "cluster/spec.hpp"

namespace hone::mesh {

// Load is what a balancer sees of an endpoint.
struct Load {
  std::uint32_t weight = 1;
  // Requests of this worker that are under way.
  std::uint32_t active = 0;
  // False for an endpoint that an earlier try of the same request has failed at.
  bool may_be_picked = true;
};

// Choice is what a pick may go by.
struct Choice {
  Random& random;
  // Hash of what the route says that requests belong together by; nothing where the request has it not.
  std::optional<std::uint64_t> key = std::nullopt;
};

// Balancer picks endpoints for one worker.
class Balancer {
 public:
  virtual ~Balancer() = default;

  // Returns the place of an endpoint, nothing where none may be picked.
  virtual std::optional<std::size_t> pick(std::span<const Load> loads, const Choice& choice) = 0;
};

// Makes the balancer of a cluster.
std::unique_ptr<Balancer> make_balancer(const ClusterSpec& spec);

}  // namespace hone::mesh
