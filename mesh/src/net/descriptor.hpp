// A file descriptor with its owner.
#pragma once

#include "hone/shm/descriptor.hpp"

namespace hone::mesh {

using shm::Descriptor;

}  // namespace hone::mesh
