#include "cluster/upkeep.hpp"

#include "cluster/cluster.hpp"

namespace hone::mesh {

Upkeep::Upkeep(Parts parts, const ClusterSpec& cluster,
               Delegate<std::vector<EndpointTotals>(const ClusterSpec&)> totals)
    : parts_(parts),
      cluster_(cluster),
      for_checks_(cluster.with_own_totals()),
      totals_(totals),
      outliers_(cluster),
      interval_(Delegate<void()>::of<&Upkeep::end_interval>(*this)) {
  if (cluster.outlier) parts_.loop.set(interval_, parts_.loop.now() + cluster.outlier->interval);
  if (!cluster.check) return;
  for (const EndpointSpec& endpoint : for_checks_.endpoints) {
    const bool is_tcp = cluster.check->kind == HealthRule::Kind::kTcp;
    checks_.push_back(std::make_unique<HealthCheck>(parts, for_checks_, endpoint,
                                                    is_tcp ? nullptr : make_pool(parts, for_checks_, endpoint)));
  }
}

void Upkeep::end_interval() {
  outliers_.end_interval(totals_(cluster_), parts_.loop.now());
  parts_.loop.set(interval_, parts_.loop.now() + cluster_.outlier->interval);
}

}  // namespace hone::mesh
