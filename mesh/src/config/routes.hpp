// Routes in hone-mesh's own form of configuration.
#pragma once

#include <map>
#include <string>

#include "config/filters.hpp"
#include "config/names.hpp"
#include "config/value.hpp"
#include "route/table.hpp"

namespace hone::mesh::config {

// Speech is the protocol of one side: kBytes stands for every other one.
enum class Speech : std::uint8_t { kBytes, kHttp, kThrift };

// NamedCluster is a cluster that is known by its name.
struct NamedCluster {
  std::uint32_t number = 0;
  Speech speech = Speech::kHttp;
};
struct Clusters {
  std::map<std::string, NamedCluster> known = {};
  // Not nullptr where clusters may be named that become known later.
  Numbers* others = nullptr;
};

// Reads the name of a cluster for a side that speaks `speech`, and returns its number.
std::uint32_t read_cluster_name(const Value& value, const Clusters& clusters, Speech speech);

// RouteContext is the context of a listener's routes.
struct RouteContext {
  const Clusters& clusters;
  const ListenerFilters& filters;
  Speech speech = Speech::kHttp;
  std::string_view listener;
  // Numbers by the routes' names for the operator.
  Numbers& numbers;
  // Numbers of the listener's routes so far.
  std::vector<std::uint32_t>& taken;
};

// Reads a list of routes, the first of which to match a request wins.
RouteList read_routes(const Value& list, const RouteContext& context);

}  // namespace hone::mesh::config
