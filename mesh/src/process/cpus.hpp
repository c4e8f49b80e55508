// How many CPUs the process may use.
#pragma once

#include <cstdint>

namespace hone::mesh {

// Returns the CPUs of the process's affinity, or of its control group's quota where that is less; at least 1.
std::uint32_t usable_cpus();

}  // namespace hone::mesh
