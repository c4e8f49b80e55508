// The CPU time that the requests of each route cost, for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hone::mesh {

// RouteCost is the cost of one route, or of all work that belongs to no route.
struct RouteCost {
  std::uint64_t ns = 0;
  std::uint64_t requests = 0;
};

// Returns a table of routes, the most costly first, without those that cost nothing. `costs` begins with the cost of no
// route; `names` are the names of the routes after it.
std::string route_costs(std::span<const RouteCost> costs, std::span<const std::string> names, double seconds);

}  // namespace hone::mesh
