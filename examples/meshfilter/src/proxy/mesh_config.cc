#include "proxy/mesh_config.h"

namespace mesh {

MeshConfig::MeshConfig(const Directive& root, const FilterRegistry& registry, ByteSink& log,
                       ByteSink& statsOut) {
  FilterContext context{stats_, clusters_, log};
  for (const Directive& directive : root.children) {
    if (directive.name == "limits") {
      readLimits(directive);
    } else if (directive.name == "cluster") {
      clusters_.add(directive);
    } else if (directive.name == "sink") {
      MemorySink* memory = addConfiguredSink(directive, statsOut, stats_);
      if (memory != nullptr && memory_ != nullptr) directive.fail("a second memory sink");
      if (memory != nullptr) memory_ = memory;
    } else if (directive.name == "filter") {
      chain_.push_back(registry.make(directive, context));
    } else {
      directive.failUnknown("the configuration");
    }
  }
  if (chain_.empty()) root.fail("there is no 'filter'");
}

void MeshConfig::readLimits(const Directive& directive) {
  directive.expectBlock();
  for (const Directive& child : directive.children) {
    if (child.name == "head_bytes_max") {
      limits_.headBytesMax = child.numberArg(0, 256, 1 << 20);
    } else if (child.name == "headers_max") {
      limits_.headersMax = child.numberArg(0, 1, 1000);
    } else if (child.name == "body_bytes_max") {
      limits_.bodyBytesMax = child.numberArg(0, 0, 1 << 30);
    } else {
      child.failUnknown("limits");
    }
  }
}

}  // namespace mesh
