#include "process/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace hone::mesh {
namespace {

// Returns the quota in CPUs, rounded up; 0 where there is none. As in containers: of the root of the file system of
// control groups, which is the process's own there.
std::uint32_t quota() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string most;
  double period_us = 0;
  if (!(file >> most >> period_us) || most == "max" || period_us <= 0) return 0;
  const double quota_us = std::strtod(most.c_str(), nullptr);
  return quota_us <= 0 ? 0 : static_cast<std::uint32_t>((quota_us + period_us - 1) / period_us);
}

}  // namespace

std::uint32_t usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::uint32_t cpus = 1;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) cpus = static_cast<std::uint32_t>(CPU_COUNT(&set));
  const std::uint32_t limit = quota();
  return std::max(1u, limit == 0 ? cpus : std::min(cpus, limit));
}

}  // namespace hone::mesh
