// What the operator's pages say of clusters and listeners, as JSON.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "cluster/spec.hpp"
#include "process/served.hpp"

namespace hone::mesh {

// Returns the clusters with their endpoints.
std::string clusters_page(std::span<const std::shared_ptr<const ClusterSpec>> clusters, Moment now);

// Returns the listeners with the addresses that they are bound to.
std::string listeners_page(std::span<const OpenListener> listeners);

}  // namespace hone::mesh
