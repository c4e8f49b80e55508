#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"

namespace mesh {

/// Picks an endpoint for a request.
class LoadBalancer {
 public:
  virtual ~LoadBalancer() = default;
  virtual size_t pick(std::string_view affinity, size_t endpoints) = 0;
};

struct Cluster {
  std::string name;
  std::vector<std::string> endpoints;
  std::unique_ptr<LoadBalancer> balancer;
  uint64_t latencyUs = 1000;  // what a simulated endpoint takes at least
  unsigned errorPerMille = 0;

  std::string_view pickEndpoint(std::string_view affinity) const {
    return endpoints[balancer->pick(affinity, endpoints.size())];
  }
};

class ClusterTable {
 public:
  void add(const Directive& directive);
  const Cluster* find(std::string_view name) const;
  /// The cluster that a directive's argument names; fails there if it is none.
  const Cluster& named(const Directive& directive, size_t index) const;
  const std::vector<std::unique_ptr<Cluster>>& all() const { return clusters_; }

 private:
  std::vector<std::unique_ptr<Cluster>> clusters_;
};

}  // namespace mesh
