// The resources that everything in a worker shares.
#pragma once

#include "base/arena.hpp"
#include "base/buffer.hpp"
#include "base/random.hpp"
#include "event/loop.hpp"

namespace hone::mesh {

class SharedMemory;

// Parts are a worker's own: no other thread touches them.
struct Parts {
  Loop& loop;
  BufferPool& buffers;
  BlockPool& blocks;
  Random& random;
  // Nullptr where all connections go over sockets.
  SharedMemory* shared_memory = nullptr;
};

}  // namespace hone::mesh
