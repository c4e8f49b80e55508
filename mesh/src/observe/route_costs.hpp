// What requests of each route cost in CPU time, for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hone::mesh {

// RouteCost is what one route, or all that is of none, has cost.
struct RouteCost {
  std::uint64_t ns = 0;
  std::uint64_t requests = 0;
};

// Returns a table of routes, the dearest first, without those that cost nothing. `costs` begins with what no route has
// cost; `names` are those of the routes behind it.
std::string route_costs(std::span<const RouteCost> costs, std::span<const std::string> names, double seconds);

}  // namespace hone::mesh
