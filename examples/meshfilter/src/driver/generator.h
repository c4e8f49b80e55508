#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/mix.h"

namespace mesh {

/// One raw request, cut into the reads in which it will arrive.
struct RawRequest {
  std::string bytes;
  std::vector<size_t> cuts;  // ends of the reads; the last is the end of the bytes
};

/// Makes the distinct requests of a mix. The same mix and seed give the same bytes everywhere.
/// `startUs` is the virtual time at which tokens must be valid.
std::vector<RawRequest> generateRequests(const Mix& mix, uint64_t seed, uint64_t startUs);

}  // namespace mesh
