// Memory that the allocator keeps.
#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace hone::mesh {

// Gives free memory back to the system: after a configuration was read, that is many times the memory that it keeps.
inline void give_memory_back() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace hone::mesh
