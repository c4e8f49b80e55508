// The number of CPUs that the process may use.
#pragma once

#include <cstdint>

#include "process/control_group.hpp"

namespace hone::mesh {

// Returns the number of CPUs in the process's affinity, or in its control group's quota where that is less; at least 1.
std::uint32_t usable_cpus(const ControlGroup& group);

}  // namespace hone::mesh
