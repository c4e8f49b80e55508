#include "cluster/cluster.hpp"

#include "cluster/auto_pool.hpp"

namespace hone::mesh {
namespace {

std::unique_ptr<Pool> make_pool(Parts parts, const ClusterSpec& spec, const EndpointSpec& endpoint) {
  switch (spec.protocol) {
    case Protocol::kAuto:
      return std::make_unique<AutoPool>(parts, spec, endpoint);
    case Protocol::kHttp2:
      return std::make_unique<Http2Pool>(parts, spec, endpoint);
    default:
      return std::make_unique<Http1Pool>(parts, spec, endpoint);
  }
}

}  // namespace

Cluster::Cluster(const ClusterSpec& spec, std::unique_ptr<Balancer> balancer, std::vector<std::unique_ptr<Pool>> pools)
    : spec_(spec), balancer_(std::move(balancer)), pools_(std::move(pools)) {
  for (const EndpointSpec& endpoint : spec.endpoints) loads_.push_back({.weight = endpoint.weight});
}

std::unique_ptr<Cluster> make_cluster(Parts parts, const ClusterSpec& spec) {
  std::vector<std::unique_ptr<Pool>> pools;
  for (const EndpointSpec& endpoint : spec.endpoints) {
    pools.push_back(make_pool(parts, spec, endpoint));
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
