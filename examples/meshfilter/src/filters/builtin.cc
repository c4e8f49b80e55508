#include "filters/builtin.h"

namespace mesh {

void addBuiltinFilters(FilterRegistry& registry) {
  registry.add("access_log", makeAccessLog);
  registry.add("access_policy", makeAccessPolicy);
  registry.add("auth", makeAuth);
  registry.add("cors", makeCors);
  registry.add("header_guard", makeHeaderGuard);
  registry.add("header_rewrite", makeHeaderRewrite);
  registry.add("json_guard", makeJsonGuard);
  registry.add("path_guard", makePathGuard);
  registry.add("rate_limit", makeRateLimit);
  registry.add("request_id", makeRequestId);
  registry.add("router", makeRouter);
  registry.add("session", makeSession);
  registry.add("stats", makeStats);
}

}  // namespace mesh
