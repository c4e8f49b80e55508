#include "filters/cluster.h"

#include <utility>

#include "core/hash.h"

namespace mesh {

namespace {

class RoundRobin : public LoadBalancer {
 public:
  size_t pick(std::string_view, size_t endpoints) override {
    next_ = next_ + 1 < endpoints ? next_ + 1 : 0;
    return next_;
  }

 private:
  size_t next_ = 0;
};

/// Rendezvous hashing: when an endpoint goes, only its own keys move.
class Rendezvous : public LoadBalancer {
 public:
  size_t pick(std::string_view affinity, size_t endpoints) override {
    const uint64_t key = fnv1a(affinity);
    size_t best = 0;
    uint64_t bestScore = 0;
    for (size_t i = 0; i < endpoints; ++i) {
      uint64_t score = (key ^ (i + 1) * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
      score ^= score >> 33;
      if (score >= bestScore) {
        best = i;
        bestScore = score;
      }
    }
    return best;
  }
};

}  // namespace

void ClusterTable::add(const Directive& directive) {
  directive.expectArgs(1, 1);
  directive.expectBlock();
  auto cluster = std::make_unique<Cluster>();
  cluster->name = directive.arg(0);
  if (find(cluster->name) != nullptr) directive.fail("cluster '" + cluster->name + "' exists");
  cluster->balancer = std::make_unique<RoundRobin>();
  for (const Directive& child : directive.children) {
    if (child.name == "endpoint") {
      child.expectArgs(1, 1);
      cluster->endpoints.push_back(child.arg(0));
    } else if (child.name == "balance") {
      if (child.wordArg(0, {"round_robin", "rendezvous"}) == 1) {
        cluster->balancer = std::make_unique<Rendezvous>();
      }
    } else if (child.name == "latency_us") {
      cluster->latencyUs = child.numberArg(0, 1, 60'000'000);
    } else if (child.name == "error_per_mille") {
      cluster->errorPerMille = static_cast<unsigned>(child.numberArg(0, 0, 1000));
    } else {
      child.failUnknown("cluster");
    }
  }
  if (cluster->endpoints.empty()) directive.fail("a cluster needs at least one endpoint");
  clusters_.push_back(std::move(cluster));
}

const Cluster* ClusterTable::find(std::string_view name) const {
  for (const auto& cluster : clusters_) {
    if (cluster->name == name) return cluster.get();
  }
  return nullptr;
}

const Cluster& ClusterTable::named(const Directive& directive, size_t index) const {
  const Cluster* cluster = find(directive.arg(index));
  if (cluster == nullptr) directive.fail("no cluster '" + directive.arg(index) + "' above");
  return *cluster;
}

}  // namespace mesh
