// The operator's pages about clusters and listeners, as JSON.
#pragma once

#include <map>
#include <string>

#include "cluster/spec.hpp"
#include "serve/served.hpp"

namespace hone::mesh {

// Returns the clusters with their endpoints.
std::string clusters_page(const std::map<std::uint32_t, ServedCluster>& clusters, Moment now);

// Returns the listeners with the addresses that they are bound to.
std::string listeners_page(const std::map<std::string, OpenListener>& listeners);

}  // namespace hone::mesh
