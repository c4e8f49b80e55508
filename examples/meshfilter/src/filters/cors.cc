// Cross-origin requests: answers preflights, and tells browsers which origins may read a response.

#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "filters/builtin.h"

namespace mesh {

namespace {

struct CorsConfig {
  std::vector<StringMatcherPtr> origins;
  std::string methods = "GET, HEAD, POST";
  std::string headers = "content-type, authorization";
  std::string maxAgeS = "600";
  StatsHub* stats = nullptr;
  MetricId preflights;
};

class CorsFilter : public PassThroughFilter {
 public:
  CorsFilter(const CorsConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    const auto origin = headers.get(HeaderId::kOrigin);
    if (!origin || !isAllowed(*origin)) return FilterStatus::kContinue;
    origin_.assign(*origin);
    const bool preflight = headers.get(HeaderId::kMethod) == "OPTIONS" &&
                           headers.get("access-control-request-method").has_value();
    if (!preflight) return FilterStatus::kContinue;
    preflight_ = true;
    config_.stats->add(config_.preflights);
    callbacks_.sendLocalReply(204, "", "cors_preflight");
    return FilterStatus::kStop;
  }

  void onResponseHeaders(HeaderMap& headers) override {
    if (origin_.empty()) return;
    headers.set(HeaderId::kAllowOrigin, origin_);
    headers.add("vary", "origin");
    if (!preflight_) return;
    headers.set("access-control-allow-methods", config_.methods);
    headers.set("access-control-allow-headers", config_.headers);
    headers.set("access-control-max-age", config_.maxAgeS);
  }

 private:
  bool isAllowed(std::string_view origin) const {
    for (const StringMatcherPtr& matcher : config_.origins) {
      if (matcher->matches(origin)) return true;
    }
    return false;
  }

  const CorsConfig& config_;
  StreamCallbacks& callbacks_;
  std::string origin_;
  bool preflight_ = false;
};

class CorsFactory : public FilterFactory {
 public:
  explicit CorsFactory(CorsConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<CorsFilter>(config_, callbacks);
  }

 private:
  const CorsConfig config_;
};

}  // namespace

std::unique_ptr<FilterFactory> makeCors(const Directive& directive, FilterContext& context) {
  CorsConfig config;
  config.stats = &context.stats;
  config.preflights = context.stats.counter("cors.preflights");
  for (const Directive& child : directive.children) {
    if (child.name == "origin") {
      config.origins.push_back(makeStringMatcher(child, 0));
    } else if (child.name == "methods") {
      config.methods = child.arg(0);
    } else if (child.name == "headers") {
      config.headers = child.arg(0);
    } else if (child.name == "max_age_s") {
      config.maxAgeS = std::to_string(child.numberArg(0, 0, 86'400));
    } else {
      child.failUnknown("filter cors");
    }
  }
  if (config.origins.empty()) directive.fail("cors needs an 'origin'");
  return std::make_unique<CorsFactory>(std::move(config));
}

}  // namespace mesh
