#pragma once

#include "filters/registry.h"

namespace mesh {

std::unique_ptr<FilterFactory> makeAccessLog(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeAccessPolicy(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeAuth(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeCors(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeHeaderGuard(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeHeaderRewrite(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeJsonGuard(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makePathGuard(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeRateLimit(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeRequestId(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeRouter(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeSession(const Directive&, FilterContext&);
std::unique_ptr<FilterFactory> makeStats(const Directive&, FilterContext&);

/// Adds every filter of this library.
void addBuiltinFilters(FilterRegistry& registry);

}  // namespace mesh
