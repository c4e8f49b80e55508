// One line for each request that all conditions let through, in a configured format.

#include <utility>
#include <vector>

#include "filters/builtin.h"
#include "filters/formatter.h"

namespace mesh {

namespace {

class LogCondition {
 public:
  virtual ~LogCondition() = default;
  virtual bool wants(const StreamInfo& info) const = 0;
};

class StatusCondition : public LogCondition {
 public:
  StatusCondition(uint64_t least, uint64_t most) : least_(least), most_(most) {}
  bool wants(const StreamInfo& info) const override {
    return info.status >= least_ && info.status <= most_;
  }

 private:
  const uint64_t least_;
  const uint64_t most_;
};

class SlowCondition : public LogCondition {
 public:
  explicit SlowCondition(uint64_t leastUs) : leastUs_(leastUs) {}
  bool wants(const StreamInfo& info) const override { return info.durationUs >= leastUs_; }

 private:
  const uint64_t leastUs_;
};

class SampleCondition : public LogCondition {
 public:
  explicit SampleCondition(uint64_t every) : every_(every) {}
  bool wants(const StreamInfo& info) const override { return info.streamId % every_ == 0; }

 private:
  const uint64_t every_;
};

struct AccessLogConfig {
  std::unique_ptr<Format> format;
  std::vector<std::unique_ptr<LogCondition>> conditions;  // one of them must hold, if there are any
  ByteSink* log = nullptr;
};

class AccessLogFilter : public PassThroughFilter {
 public:
  AccessLogFilter(const AccessLogConfig& config, std::string& line, StreamCallbacks& callbacks)
      : config_(config), line_(line), callbacks_(callbacks) {}

  void onComplete(const HeaderMap& request, const HeaderMap& response) override {
    const StreamInfo& info = callbacks_.info();
    if (!wanted(info)) return;
    line_.clear();
    config_.format->append({info, request, &response}, line_);
    line_.push_back('\n');
    config_.log->write(line_);
  }

 private:
  bool wanted(const StreamInfo& info) const {
    for (const auto& condition : config_.conditions) {
      if (condition->wants(info)) return true;
    }
    return config_.conditions.empty();
  }

  const AccessLogConfig& config_;
  std::string& line_;
  StreamCallbacks& callbacks_;
};

class AccessLogFactory : public FilterFactory {
 public:
  explicit AccessLogFactory(AccessLogConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<AccessLogFilter>(config_, line_, callbacks);
  }

 private:
  const AccessLogConfig config_;
  std::string line_;  // reused by all streams, which complete one after the other
};

std::unique_ptr<LogCondition> readCondition(const Directive& directive) {
  switch (directive.wordArg(0, {"status", "slower_than_us", "every"})) {
    case 0:
      return std::make_unique<StatusCondition>(directive.numberArg(1, 100, 599),
                                               directive.numberArg(2, 100, 599));
    case 1:
      return std::make_unique<SlowCondition>(directive.numberArg(1, 1, UINT64_MAX));
    default:
      return std::make_unique<SampleCondition>(directive.numberArg(1, 1, UINT64_MAX));
  }
}

}  // namespace

std::unique_ptr<FilterFactory> makeAccessLog(const Directive& directive, FilterContext& context) {
  AccessLogConfig config;
  config.log = &context.log;
  Escape escape = Escape::kNone;
  const Directive* format = nullptr;
  for (const Directive& child : directive.children) {
    if (child.name == "format") {
      child.expectArgs(1, 1);
      format = &child;
    } else if (child.name == "escape") {
      escape = child.wordArg(0, {"none", "json"}) == 1 ? Escape::kJson : Escape::kNone;
    } else if (child.name == "only") {
      config.conditions.push_back(readCondition(child));
    } else {
      child.failUnknown("filter access_log");
    }
  }
  if (format == nullptr) directive.fail("access_log needs a 'format'");
  config.format = std::make_unique<Format>(format->arg(0), escape, *format);
  return std::make_unique<AccessLogFactory>(std::move(config));
}

}  // namespace mesh
