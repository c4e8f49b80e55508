#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/byte_sink.h"
#include "core/config.h"
#include "core/stats.h"
#include "filters/cluster.h"
#include "filters/registry.h"
#include "http/request_parser.h"

namespace mesh {

/// A proxy's whole configuration, built from a file: limits, clusters, sinks and the filter chain
/// in the order in which the file names the filters.
class MeshConfig {
 public:
  /// Fails with a ConfigError that names file and line.
  MeshConfig(const Directive& root, const FilterRegistry& registry, ByteSink& log,
             ByteSink& statsOut);

  const ParserLimits& limits() const { return limits_; }
  const ClusterTable& clusters() const { return clusters_; }
  StatsHub& stats() { return stats_; }
  /// The sink that keeps counters in memory; none if the file names none.
  const MemorySink* memory() const { return memory_; }
  const std::vector<std::unique_ptr<FilterFactory>>& chain() const { return chain_; }

 private:
  void readLimits(const Directive& directive);

  ParserLimits limits_;
  ClusterTable clusters_;
  StatsHub stats_;
  MemorySink* memory_ = nullptr;
  std::vector<std::unique_ptr<FilterFactory>> chain_;
};

}  // namespace mesh
