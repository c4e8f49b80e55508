// What everything in a worker shares.
#pragma once

#include "base/arena.hpp"
#include "base/buffer.hpp"
#include "base/random.hpp"
#include "event/loop.hpp"

namespace hone::mesh {

// Parts are a worker's own: no other thread touches them.
struct Parts {
  Loop& loop;
  BufferPool& buffers;
  BlockPool& blocks;
  Random& random;
};

}  // namespace hone::mesh
