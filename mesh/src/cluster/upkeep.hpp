// The main thread's work for a cluster, once for all workers: it checks whether endpoints are well, and ends the
// intervals of the rule about outliers.
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
  Upkeep(Parts parts, std::shared_ptr<const ClusterSpec> cluster);

  // Goes on with another specification of the cluster. Checks of endpoints that stay go on as they are.
  void change(std::shared_ptr<const ClusterSpec> cluster);

 private:
  void check_endpoints();
  void trust_all();
  void watch_outliers();
  void end_interval();

  Parts parts_;
  std::shared_ptr<const ClusterSpec> cluster_;
  std::vector<std::unique_ptr<HealthCheck>> checks_;
  OutlierWatch outliers_;
  Timer interval_;
};

}  // namespace hone::mesh
