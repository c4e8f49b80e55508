// Filters in hone-mesh's own form of configuration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/value.hpp"
#include "filter/chain.hpp"

namespace hone::mesh::config {

// NamedFilter is a filter with its word in the configuration.
struct NamedFilter {
  std::string kind;
  std::shared_ptr<const Filter> filter;
};
using FilterList = std::vector<NamedFilter>;

// ListenerFilters are the filters of all routes of a listener, and the chain that routes without own filters share.
struct ListenerFilters {
  FilterList list;
  std::shared_ptr<const Chain> chain;
};

// Reads a list of filters, in the order in which requests pass them.
FilterList read_filters(const Value& list);

// Adds a fault where one of the filters is for HTTP alone.
void refuse_filters_of_http(const Value& list, const FilterList& filters);

// Returns the chain of filters, nullptr where there are none.
std::shared_ptr<const Chain> chain_of(const FilterList& filters);

}  // namespace hone::mesh::config
