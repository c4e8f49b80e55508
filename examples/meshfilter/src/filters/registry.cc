#include "filters/registry.h"

namespace mesh {

void FilterRegistry::add(std::string_view name, FilterMaker maker) {
  makers_.insert_or_assign(std::string(name), maker);
}

std::unique_ptr<FilterFactory> FilterRegistry::make(const Directive& directive,
                                                    FilterContext& context) const {
  directive.expectArgs(1, 1);
  directive.expectBlock();
  const auto found = makers_.find(directive.arg(0));
  if (found == makers_.end()) {
    std::string known;
    for (const auto& [name, maker] : makers_) known.append(known.empty() ? "" : ", ").append(name);
    directive.fail("no filter '" + directive.arg(0) + "'; there are: " + known);
  }
  return found->second(directive, context);
}

}  // namespace mesh
