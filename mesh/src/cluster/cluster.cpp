#include "cluster/cluster.hpp"

#include "cluster/http1_pool.hpp"
#include "cluster/http2_pool.hpp"

namespace hone::mesh {

Cluster::Cluster(const ClusterSpec& spec, std::unique_ptr<Balancer> balancer, std::vector<std::unique_ptr<Pool>> pools)
    : spec_(spec), balancer_(std::move(balancer)), pools_(std::move(pools)) {
  for (const EndpointSpec& endpoint : spec.endpoints) loads_.push_back({.weight = endpoint.weight});
}

std::unique_ptr<Cluster> make_cluster(Parts parts, const ClusterSpec& spec) {
  std::vector<std::unique_ptr<Pool>> pools;
  for (const EndpointSpec& endpoint : spec.endpoints) {
    if (spec.protocol == Protocol::kHttp2) {
      pools.push_back(std::make_unique<Http2Pool>(parts, spec, endpoint));
    } else {
      pools.push_back(std::make_unique<Http1Pool>(parts, spec, endpoint));
    }
  }
  return std::make_unique<Cluster>(spec, make_balancer(spec), std::move(pools));
}

std::optional<std::size_t> Cluster::pick(const std::vector<std::size_t>& tried, Random& random) {
  for (const std::size_t at : tried) loads_[at].may_be_picked = false;
  std::optional<std::size_t> picked = balancer_->pick(loads_, random);
  for (const std::size_t at : tried) loads_[at].may_be_picked = true;
  if (!picked && !tried.empty()) picked = balancer_->pick(loads_, random);
  return picked;
}

void Cluster::drain() {
  for (const auto& pool : pools_) pool->drain();
}

}  // namespace hone::mesh
