// Lets only well-formed JSON bodies of bounded size and depth through, while they stream.

#include <optional>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "filters/builtin.h"

namespace mesh {

namespace {

struct JsonGuardConfig {
  uint64_t bytesMax = 1 << 20;
  unsigned depthMax = 32;
  StatsHub* stats = nullptr;
  MetricId refused;
  MetricId values;
};

class JsonGuardFilter : public PassThroughFilter {
 public:
  JsonGuardFilter(const JsonGuardConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool hasBody) override {
    if (!hasBody) return FilterStatus::kContinue;
    std::string_view type = headers.get(HeaderId::kContentType).value_or("");
    if (equalsIgnoreCase(trimBlanks(cutToken(type, ';')), "application/json")) {
      checker_.emplace(config_.depthMax);
    }
    return FilterStatus::kContinue;
  }

  FilterStatus onRequestData(std::string_view bytes) override {
    if (!checker_) return FilterStatus::kContinue;
    bytes_ += bytes.size();
    if (bytes_ > config_.bytesMax) return refuse(413, "json_too_large");
    return checker_->feed(bytes) ? FilterStatus::kContinue : refuse(400, "json_malformed");
  }

  FilterStatus onRequestEnd() override {
    if (!checker_) return FilterStatus::kContinue;
    if (!checker_->finish()) return refuse(400, "json_incomplete");
    config_.stats->record(config_.values, checker_->values());
    return FilterStatus::kContinue;
  }

 private:
  FilterStatus refuse(unsigned status, std::string_view detail) {
    config_.stats->add(config_.refused);
    callbacks_.sendLocalReply(status, "the body is not acceptable\n", detail);
    return FilterStatus::kStop;
  }

  const JsonGuardConfig& config_;
  StreamCallbacks& callbacks_;
  std::optional<JsonChecker> checker_;
  uint64_t bytes_ = 0;
};

class JsonGuardFactory : public FilterFactory {
 public:
  explicit JsonGuardFactory(JsonGuardConfig config) : config_(config) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<JsonGuardFilter>(config_, callbacks);
  }

 private:
  const JsonGuardConfig config_;
};

}  // namespace

std::unique_ptr<FilterFactory> makeJsonGuard(const Directive& directive, FilterContext& context) {
  JsonGuardConfig config;
  config.stats = &context.stats;
  config.refused = context.stats.counter("json_guard.refused");
  config.values = context.stats.histogram("json_guard.values");
  for (const Directive& child : directive.children) {
    if (child.name == "bytes_max") {
      config.bytesMax = child.numberArg(0, 1, 1 << 30);
    } else if (child.name == "depth_max") {
      config.depthMax = static_cast<unsigned>(child.numberArg(0, 1, JsonChecker::kDepthMax));
    } else {
      child.failUnknown("filter json_guard");
    }
  }
  return std::make_unique<JsonGuardFactory>(config);
}

}  // namespace mesh
