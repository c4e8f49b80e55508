#include "cluster/cluster.hpp"

#include <algorithm>

#include "cluster/auto_pool.hpp"
#include "cluster/outlier.hpp"

namespace hone::mesh {

Cluster::Cluster(const ClusterSpec& spec, std::unique_ptr<Balancer> balancer, std::vector<std::unique_ptr<Pool>> pools)
    : spec_(spec), balancer_(std::move(balancer)), pools_(std::move(pools)), counts_(spec.endpoints.size()) {
  for (const EndpointSpec& endpoint : spec.endpoints) loads_.push_back({.weight = endpoint.weight});
  look_at_health();
}

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

std::unique_ptr<Cluster> make_cluster(Parts parts, const ClusterSpec& spec) {
  std::vector<std::unique_ptr<Pool>> pools;
  for (const EndpointSpec& endpoint : spec.endpoints) pools.push_back(make_pool(parts, spec, endpoint));
  return std::make_unique<Cluster>(spec, make_balancer(spec), std::move(pools));
}

void Cluster::look_at_health() {
  version_ = spec_.health->version.load(std::memory_order_acquire);
  is_up_.clear();
  for (const EndpointSpec& endpoint : spec_.endpoints) is_up_.push_back(endpoint.health->is_up());
  const auto up = static_cast<std::size_t>(std::count(is_up_.begin(), is_up_.end(), true));
  if (up * 100 < spec_.panic_percent * is_up_.size()) is_up_.assign(is_up_.size(), true);
  for (std::size_t at = 0; at < loads_.size(); ++at) loads_[at].may_be_picked = is_up_[at];
}

std::optional<std::size_t> Cluster::pick(const std::vector<std::size_t>& tried, const Choice& choice) {
  if (spec_.health->version.load(std::memory_order_relaxed) != version_) look_at_health();
  for (const std::size_t at : tried) loads_[at].may_be_picked = false;
  std::optional<std::size_t> picked = balancer_->pick(loads_, choice);
  for (const std::size_t at : tried) loads_[at].may_be_picked = is_up_[at];
  if (!picked && !tried.empty()) picked = balancer_->pick(loads_, choice);
  return picked;
}

void Cluster::answered(std::size_t endpoint, int status, Moment now) {
  counts_[endpoint].requests.add();
  if (status >= 500) counts_[endpoint].failures.add();
  note_answer(spec_, endpoint, status >= 502 && status <= 504, now);
}

void Cluster::failed(std::size_t endpoint, Moment now) {
  counts_[endpoint].requests.add();
  broke_off(endpoint, now);
}

void Cluster::broke_off(std::size_t endpoint, Moment now) {
  counts_[endpoint].failures.add();
  note_local_failure(spec_, endpoint, now);
}

void Cluster::drain() {
  for (const auto& pool : pools_) pool->drain();
}

}  // namespace hone::mesh
