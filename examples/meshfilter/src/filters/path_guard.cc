// Brings the path into its normal form before anything else looks at it, and refuses paths that
// cannot be brought there or that a rule forbids.

#include <optional>
#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "filters/builtin.h"
#include "http/uri.h"

namespace mesh {

namespace {

struct PathGuardConfig {
  std::vector<StringMatcherPtr> denied;
  StatsHub* stats = nullptr;
  MetricId normalised;
  MetricId refused;
};

class PathGuardFilter : public PassThroughFilter {
 public:
  PathGuardFilter(const PathGuardConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    const std::string_view target = headers.get(HeaderId::kPath).value_or("");
    const SplitTarget parts = splitTarget(target);
    if (!isNormalPath(parts.path)) {
      std::optional<std::string> path = normalisePath(parts.path);
      if (!path) return refuse("path_malformed");
      if (!parts.query.empty()) path->append("?").append(parts.query);
      config_.stats->add(config_.normalised);
      headers.set(HeaderId::kPath, *path);
    }
    const SplitTarget normal = splitTarget(headers.get(HeaderId::kPath).value_or(""));
    for (const StringMatcherPtr& denied : config_.denied) {
      if (denied->matches(normal.path)) return refuse("path_denied");
    }
    return FilterStatus::kContinue;
  }

 private:
  FilterStatus refuse(std::string_view detail) {
    config_.stats->add(config_.refused);
    callbacks_.sendLocalReply(400, "the path is not acceptable\n", detail);
    return FilterStatus::kStop;
  }

  const PathGuardConfig& config_;
  StreamCallbacks& callbacks_;
};

class PathGuardFactory : public FilterFactory {
 public:
  explicit PathGuardFactory(PathGuardConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<PathGuardFilter>(config_, callbacks);
  }

 private:
  const PathGuardConfig config_;
};

}  // namespace

std::unique_ptr<FilterFactory> makePathGuard(const Directive& directive, FilterContext& context) {
  PathGuardConfig config;
  config.stats = &context.stats;
  config.normalised = context.stats.counter("path_guard.normalised");
  config.refused = context.stats.counter("path_guard.refused");
  for (const Directive& child : directive.children) {
    if (child.name != "deny") child.failUnknown("filter path_guard");
    config.denied.push_back(makeStringMatcher(child, 0));
  }
  return std::make_unique<PathGuardFactory>(std::move(config));
}

}  // namespace mesh
