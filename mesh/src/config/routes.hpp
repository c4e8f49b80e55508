// Routes of the own form of configuration.
#pragma once

#include <map>
#include <string>

#include "config/filters.hpp"
#include "config/names.hpp"
#include "config/value.hpp"
#include "route/table.hpp"

namespace hone::mesh::config {

// Speech is what is spoken on one side: bytes are for every other one.
enum class Speech : std::uint8_t { kBytes, kHttp, kThrift };

// Clusters are known by name.
struct NamedCluster {
  std::uint32_t number = 0;
  Speech speech = Speech::kHttp;
};
struct Clusters {
  std::map<std::string, NamedCluster> known = {};
  // Not nullptr where those may be named that are told of later.
  Numbers* others = nullptr;
};

// Reads the name of a cluster for those who speak so, and returns its number.
std::uint32_t read_cluster_name(const Value& value, const Clusters& clusters, Speech speech);

// RouteContext is what stands around the routes of a listener.
struct RouteContext {
  const Clusters& clusters;
  const ListenerFilters& filters;
  Speech speech = Speech::kHttp;
  std::string_view listener;
  // By what the operator reads of routes.
  Numbers& numbers;
  // Numbers of the listener's routes so far.
  std::vector<std::uint32_t>& taken;
};

// Reads a list of routes, the first of which to match a request wins.
RouteList read_routes(const Value& list, const RouteContext& context);

}  // namespace hone::mesh::config
