#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/config.h"
#include "driver/mix.h"

namespace mesh {

struct Counter {
  std::string name;
  uint64_t value;
};

/// What a run put out, in a form that can be compared between builds.
struct RunResult {
  uint64_t requests = 0;
  uint64_t refusedConnections = 0;
  uint64_t upstreamDigest = 0;
  uint64_t downstreamDigest = 0;
  uint64_t downstreamBytes = 0;
  uint64_t logDigest = 0;
  uint64_t logBytes = 0;
  uint64_t statsDigest = 0;
  std::vector<Counter> counters;  // by name; histograms give their samples and quantiles

  uint64_t checksum() const;
};

/// Sends `requests` requests of the mix through a proxy of that configuration.
RunResult replay(const Directive& config, const Mix& mix, uint64_t requests, uint64_t seed);

}  // namespace mesh
