// A cluster as one worker sees it: its endpoints with their connections, and who gets the next request.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cluster/balancer.hpp"
#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// Cluster belongs to one worker.
class Cluster {
 public:
  // Pools are in the order of the endpoints.
  Cluster(const ClusterSpec& spec, std::unique_ptr<Balancer> balancer, std::vector<std::unique_ptr<Pool>> pools);

  const ClusterSpec& spec() const { return spec_; }
  Pool& pool(std::size_t endpoint) { return *pools_[endpoint]; }

  // Picks an endpoint that is not among those tried, and all of them again where there is no other.
  std::optional<std::size_t> pick(const std::vector<std::size_t>& tried, Random& random);
  // Counts a request that goes to an endpoint, and one that has come back.
  void began(std::size_t endpoint) { ++loads_[endpoint].active; }
  void ended(std::size_t endpoint) { --loads_[endpoint].active; }

  void drain();

 private:
  const ClusterSpec& spec_;
  std::unique_ptr<Balancer> balancer_;
  std::vector<Load> loads_;
  std::vector<std::unique_ptr<Pool>> pools_;
};

// Makes a cluster with the balancer and the pools that its specification asks for.
std::unique_ptr<Cluster> make_cluster(Parts parts, const ClusterSpec& spec);

}  // namespace hone::mesh
