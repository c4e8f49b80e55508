// Endpoints that fail while others do not are left out for a time.
//
// Workers count failures in a row as they come, and eject at once; the main thread compares rates in each interval, and
// lets endpoints come back. Both use the same state, whichever of them is first.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cluster/spec.hpp"

namespace hone::mesh {

// EndpointTotals are the counts of all workers for an endpoint since the process began.
struct EndpointTotals {
  std::uint64_t requests = 0;
  // Answers of 5xx and tries without an answer.
  std::uint64_t failures = 0;
};

// Returns the totals of a cluster's endpoints.
std::vector<EndpointTotals> totals_of(const ClusterSpec& spec);

// Ejects an endpoint, unless it is ejected already or no more endpoints may be. Returns true if it was ejected.
bool eject(const ClusterSpec& spec, std::size_t endpoint, Moment now);

// Notes an answer, or a try without one, and ejects the endpoint where the cluster's rule says so.
void note_answer(const ClusterSpec& spec, std::size_t endpoint, bool is_gateway_failure, Moment now);
void note_local_failure(const ClusterSpec& spec, std::size_t endpoint, Moment now);

// Returns the success rate below which an endpoint is left out: as many standard deviations below the mean as the rule
// says.
double threshold_of(std::span<const double> rates, double deviations);

// OutlierWatch is the main thread's part for one cluster that has a rule.
class OutlierWatch {
 public:
  explicit OutlierWatch(std::shared_ptr<const ClusterSpec> spec)
      : spec_(std::move(spec)), before_(spec_->endpoints.size()) {}

  // Goes on with another specification of the cluster.
  void change(std::shared_ptr<const ClusterSpec> spec);
  // Brings back the endpoints whose time is over.
  void bring_back(Moment now);
  // Ends an interval: endpoints whose time is over come back, and endpoints whose rate is too low are ejected.
  void end_interval(std::span<const EndpointTotals> totals, Moment now);

 private:
  std::shared_ptr<const ClusterSpec> spec_;
  std::vector<EndpointTotals> before_;
};

}  // namespace hone::mesh
