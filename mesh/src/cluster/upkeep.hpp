// What the main thread does for a cluster, once for all workers: it asks endpoints whether they are well, and ends
// the intervals of the rule about outliers.
#pragma once

#include <memory>
#include <vector>

#include "cluster/health_check.hpp"
#include "cluster/outlier.hpp"
#include "cluster/spec.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// Upkeep belongs to the main thread. A cluster without checks and without a rule costs it nothing.
class Upkeep {
 public:
  // `totals` returns what all workers have seen of each endpoint.
  Upkeep(Parts parts, const ClusterSpec& cluster, Delegate<std::vector<EndpointTotals>(const ClusterSpec&)> totals);

 private:
  void end_interval();

  Parts parts_;
  const ClusterSpec& cluster_;
  // With totals of its own.
  const ClusterSpec for_checks_;
  const Delegate<std::vector<EndpointTotals>(const ClusterSpec&)> totals_;
  std::vector<std::unique_ptr<HealthCheck>> checks_;
  OutlierWatch outliers_;
  Timer interval_;
};

}  // namespace hone::mesh
