#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/byte_sink.h"
#include "core/config.h"
#include "core/stats.h"
#include "filters/cluster.h"
#include "filters/filter.h"

namespace mesh {

/// What a filter's configuration may refer to. All of it outlives the factories.
struct FilterContext {
  StatsHub& stats;
  const ClusterTable& clusters;
  ByteSink& log;
};

using FilterMaker = std::unique_ptr<FilterFactory> (*)(const Directive&, FilterContext&);

/// Filters by the name that a configuration uses. To add one: write its file, declare its maker
/// in builtin.h and add it there.
class FilterRegistry {
 public:
  void add(std::string_view name, FilterMaker maker);
  /// Makes the factory of a directive `filter NAME {..}`.
  std::unique_ptr<FilterFactory> make(const Directive& directive, FilterContext& context) const;

 private:
  std::map<std::string, FilterMaker, std::less<>> makers_;
};

}  // namespace mesh
