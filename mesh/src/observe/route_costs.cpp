#include "observe/route_costs.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

namespace hone::mesh {

std::string route_costs(std::span<const RouteCost> costs, std::span<const std::string> names, double seconds) {
  std::uint64_t total_ns = 0;
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < costs.size(); ++at) {
    total_ns += costs[at].ns;
    if (costs[at].ns > 0 || costs[at].requests > 0) order.push_back(at);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return costs[left].ns != costs[right].ns ? costs[left].ns > costs[right].ns : left < right;
  });
  char line[120];
  std::snprintf(line, sizeof line, "%.3f s of CPU time in %.1f s\n\n  share      CPU s   requests    us each  route\n",
                static_cast<double>(total_ns) / 1e9, seconds);
  std::string text = line;
  for (const std::size_t at : order) {
    const auto [ns, requests] = costs[at];
    const double share = total_ns == 0 ? 0 : 100.0 * static_cast<double>(ns) / static_cast<double>(total_ns);
    std::snprintf(line, sizeof line, "%5.1f %% %10.3f %10llu ", share, static_cast<double>(ns) / 1e9,
                  static_cast<unsigned long long>(requests));
    text.append(line);
    // The time of no route is not that of requests: it is waiting, and connections that come and go.
    if (at == 0 || requests == 0) {
      text.append("         -  ");
    } else {
      std::snprintf(line, sizeof line, "%10.1f  ", static_cast<double>(ns) / 1e3 / static_cast<double>(requests));
      text.append(line);
    }
    text.append(at == 0 ? "no route: connections, waiting, requests that no route is for" : names[at - 1]).append("\n");
  }
  return text;
}

}  // namespace hone::mesh
