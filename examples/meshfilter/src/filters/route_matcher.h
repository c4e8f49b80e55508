#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/config.h"
#include "http/header_map.h"

namespace mesh {

/// What a route may look at, taken apart once for all routes.
struct RouteInput {
  const HeaderMap& headers;
  std::string_view method;
  std::string_view path;
  std::string_view query;
  uint64_t dice;  // the same for all routes of one request, evenly spread over requests
};

/// One condition of a route; all conditions of a route must hold.
class RouteMatcher {
 public:
  virtual ~RouteMatcher() = default;
  virtual bool matches(const RouteInput& input) const = 0;
};

/// Makes the condition of a directive `match KIND ...`:
///     match path KIND PATTERN        match method GET HEAD ...
///     match header NAME KIND [PATTERN]
///     match query NAME KIND [PATTERN]
///     match fraction PER_MILLE
/// and `unless ...` for the opposite.
std::unique_ptr<RouteMatcher> makeRouteMatcher(const Directive& directive);

}  // namespace mesh
