// Routes of the own form of configuration.
#pragma once

#include <map>
#include <string>

#include "config/filters.hpp"
#include "config/value.hpp"
#include "route/table.hpp"

namespace hone::mesh::config {

// Clusters are places by name.
using Clusters = std::map<std::string, std::size_t>;

// Reads the name of a cluster, and returns its place.
std::size_t read_cluster_name(const Value& value, const Clusters& clusters);

// Reads a list of routes, the first of which to match a request wins.
RouteList read_routes(const Value& list, const Clusters& clusters, const ListenerFilters& filters);

}  // namespace hone::mesh::config
