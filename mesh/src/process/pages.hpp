// What the operator's pages say of clusters and listeners, as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cluster/outlier.hpp"
#include "config/snapshot.hpp"
#include "net/address.hpp"

namespace hone::mesh {

// Returns the clusters with their endpoints. Totals are those of each cluster's endpoints, in the order of the
// snapshot.
std::string clusters_page(const Snapshot& snapshot, std::span<const std::vector<EndpointTotals>> totals, Moment now);

// Returns the listeners with the addresses that they are bound to.
std::string listeners_page(const Snapshot& snapshot, std::span<const Address> bound);

}  // namespace hone::mesh
