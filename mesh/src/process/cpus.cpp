#include "process/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>

namespace hone::mesh {

std::uint32_t usable_cpus(const ControlGroup& group) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::uint32_t cpus = 1;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) cpus = static_cast<std::uint32_t>(CPU_COUNT(&set));
  const auto quota = static_cast<std::uint32_t>(std::ceil(std::min(group.cpus().value_or(cpus), 4096.0)));
  return std::max(1u, std::min(cpus, quota));
}

}  // namespace hone::mesh
