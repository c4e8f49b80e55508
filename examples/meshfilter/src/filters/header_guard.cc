// Refuses requests whose headers break a rule: forbidden names or values, values that are too long
// or hold unprintable text, names that some servers read as others.

#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "filters/builtin.h"

namespace mesh {

namespace {

class HeaderRule {
 public:
  virtual ~HeaderRule() = default;
  virtual bool allows(std::string_view name, std::string_view value) const = 0;
};

class DenyName : public HeaderRule {
 public:
  explicit DenyName(StringMatcherPtr name) : name_(std::move(name)) {}
  bool allows(std::string_view name, std::string_view) const override {
    return !name_->matches(name);
  }

 private:
  const StringMatcherPtr name_;
};

class DenyValue : public HeaderRule {
 public:
  DenyValue(std::string name, StringMatcherPtr value)
      : name_(std::move(name)), value_(std::move(value)) {}
  bool allows(std::string_view name, std::string_view value) const override {
    return name != name_ || !value_->matches(value);
  }

 private:
  const std::string name_;
  const StringMatcherPtr value_;
};

class MaxValueBytes : public HeaderRule {
 public:
  explicit MaxValueBytes(size_t bytesMax) : bytesMax_(bytesMax) {}
  bool allows(std::string_view, std::string_view value) const override {
    return value.size() <= bytesMax_;
  }

 private:
  const size_t bytesMax_;
};

/// `x_real_ip` and `x-real-ip` are one variable to CGI-like servers.
class DenyUnderscore : public HeaderRule {
 public:
  bool allows(std::string_view name, std::string_view) const override {
    for (const char c : name) {
      if (c == '_') return false;
    }
    return true;
  }
};

/// Values must be printable ASCII or well-formed UTF-8.
class Utf8Value : public HeaderRule {
 public:
  bool allows(std::string_view, std::string_view value) const override {
    unsigned following = 0;
    for (const char c : value) {
      const uint8_t byte = static_cast<uint8_t>(c);
      if (following > 0) {
        if ((byte & 0xc0) != 0x80) return false;
        --following;
      } else if (byte >= 0x80) {
        if (byte < 0xc2 || byte > 0xf4) return false;
        following = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      }
    }
    return following == 0;
  }
};

struct GuardConfig {
  std::vector<std::unique_ptr<HeaderRule>> rules;
  StatsHub* stats = nullptr;
  MetricId refused;
};

class HeaderGuardFilter : public PassThroughFilter, private HeaderVisitor {
 public:
  HeaderGuardFilter(const GuardConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    headers.visit(*this);
    if (allowed_) return FilterStatus::kContinue;
    config_.stats->add(config_.refused);
    callbacks_.sendLocalReply(400, "a header is not acceptable\n", "header_refused");
    return FilterStatus::kStop;
  }

 private:
  bool onHeader(std::string_view name, std::string_view value) override {
    for (const auto& rule : config_.rules) {
      if (rule->allows(name, value)) continue;
      allowed_ = false;
      return false;
    }
    return true;
  }

  const GuardConfig& config_;
  StreamCallbacks& callbacks_;
  bool allowed_ = true;
};

class HeaderGuardFactory : public FilterFactory {
 public:
  explicit HeaderGuardFactory(GuardConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<HeaderGuardFilter>(config_, callbacks);
  }

 private:
  const GuardConfig config_;
};

std::unique_ptr<HeaderRule> readRule(const Directive& directive) {
  if (directive.name == "deny_name") {
    return std::make_unique<DenyName>(makeStringMatcher(directive, 0));
  }
  if (directive.name == "deny_value") {
    return std::make_unique<DenyValue>(directive.arg(0), makeStringMatcher(directive, 1));
  }
  if (directive.name == "value_bytes_max") {
    return std::make_unique<MaxValueBytes>(directive.numberArg(0, 1, 1 << 20));
  }
  if (directive.name == "deny_underscore") return std::make_unique<DenyUnderscore>();
  if (directive.name == "require_utf8") return std::make_unique<Utf8Value>();
  directive.failUnknown("filter header_guard");
}

}  // namespace

std::unique_ptr<FilterFactory> makeHeaderGuard(const Directive& directive, FilterContext& context) {
  GuardConfig config;
  config.stats = &context.stats;
  config.refused = context.stats.counter("header_guard.refused");
  for (const Directive& child : directive.children) config.rules.push_back(readRule(child));
  return std::make_unique<HeaderGuardFactory>(std::move(config));
}

}  // namespace mesh
