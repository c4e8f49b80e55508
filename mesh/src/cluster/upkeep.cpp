#include "cluster/upkeep.hpp"

#include <algorithm>

#include "cluster/endpoint.hpp"

namespace hone::mesh {

Upkeep::Upkeep(Parts parts, std::shared_ptr<const ClusterSpec> cluster)
    : parts_(parts),
      cluster_(std::move(cluster)),
      outliers_(cluster_),
      interval_(Delegate<void()>::of<&Upkeep::end_interval>(*this)) {
  check_endpoints();
  watch_outliers();
}

void Upkeep::change(std::shared_ptr<const ClusterSpec> cluster) {
  cluster_ = std::move(cluster);
  outliers_.change(cluster_);
  check_endpoints();
  watch_outliers();
}

void Upkeep::check_endpoints() {
  std::vector<std::unique_ptr<HealthCheck>> before = std::exchange(checks_, {});
  if (!cluster_->check) return trust_all();
  // The checks' connections do not count against the limits of requests.
  const ClusterSpec own = cluster_->with_own_totals();
  for (const EndpointSpec& endpoint : own.endpoints) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const std::unique_ptr<HealthCheck>& one) {
      return one != nullptr && one->is_for(*cluster_, endpoint);
    });
    if (same != before.end()) {
      checks_.push_back(std::move(*same));
      continue;
    }
    const bool is_tcp = own.check->kind == HealthRule::Kind::kTcp;
    checks_.push_back(std::make_unique<HealthCheck>(parts_, own, endpoint,
                                                    is_tcp ? nullptr : make_pool(parts_, own, endpoint.address)));
  }
}

// Marks all endpoints as well, since nothing checks them any more.
void Upkeep::trust_all() {
  for (const EndpointSpec& endpoint : cluster_->endpoints) {
    if (!endpoint.health->passes_checks.exchange(true, std::memory_order_relaxed)) cluster_->health->changed();
  }
}

// Begins intervals where there is a rule, and ends them where there is none. An interval that has begun goes on.
void Upkeep::watch_outliers() {
  if (!cluster_->outlier) {
    interval_.cancel();
    return outliers_.bring_back(Moment::max());
  }
  if (!interval_.is_set()) parts_.loop.set(interval_, parts_.loop.now() + cluster_->outlier->interval);
}

void Upkeep::end_interval() {
  outliers_.end_interval(totals_of(*cluster_), parts_.loop.now());
  parts_.loop.set(interval_, parts_.loop.now() + cluster_->outlier->interval);
}

}  // namespace hone::mesh
