// Role-based access: an ordered list of policies, each a tree of conditions. The first policy whose
// tree holds decides. Shadow policies only count what they would have refused.

#include <optional>
#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "core/text.h"
#include "filters/builtin.h"
#include "http/uri.h"

namespace mesh {

namespace {

struct PolicyInput {
  const HeaderMap& headers;
  const StreamInfo& info;
  SplitTarget target;
  uint32_t remote;  // IPv4 address; 0 if there is none
};

class Condition {
 public:
  virtual ~Condition() = default;
  virtual bool holds(const PolicyInput& input) const = 0;
};

using ConditionPtr = std::unique_ptr<Condition>;

class All : public Condition {
 public:
  explicit All(std::vector<ConditionPtr> parts) : parts_(std::move(parts)) {}
  bool holds(const PolicyInput& input) const override {
    for (const ConditionPtr& part : parts_) {
      if (!part->holds(input)) return false;
    }
    return true;
  }

 private:
  const std::vector<ConditionPtr> parts_;
};

class Any : public Condition {
 public:
  explicit Any(std::vector<ConditionPtr> parts) : parts_(std::move(parts)) {}
  bool holds(const PolicyInput& input) const override {
    for (const ConditionPtr& part : parts_) {
      if (part->holds(input)) return true;
    }
    return false;
  }

 private:
  const std::vector<ConditionPtr> parts_;
};

class None : public Condition {
 public:
  explicit None(std::vector<ConditionPtr> parts) : any_(std::move(parts)) {}
  bool holds(const PolicyInput& input) const override { return !any_.holds(input); }

 private:
  const Any any_;
};

class PathIs : public Condition {
 public:
  explicit PathIs(StringMatcherPtr matcher) : matcher_(std::move(matcher)) {}
  bool holds(const PolicyInput& input) const override {
    return matcher_->matches(input.target.path);
  }

 private:
  const StringMatcherPtr matcher_;
};

class MethodIs : public Condition {
 public:
  explicit MethodIs(std::vector<std::string> methods) : methods_(std::move(methods)) {}
  bool holds(const PolicyInput& input) const override {
    const std::string_view method = input.headers.get(HeaderId::kMethod).value_or("");
    for (const std::string& candidate : methods_) {
      if (candidate == method) return true;
    }
    return false;
  }

 private:
  const std::vector<std::string> methods_;
};

class HeaderIs : public Condition {
 public:
  HeaderIs(std::string name, StringMatcherPtr matcher)
      : name_(std::move(name)), matcher_(std::move(matcher)) {}
  bool holds(const PolicyInput& input) const override {
    const auto value = input.headers.get(std::string_view(name_));
    return value && matcher_->matches(*value);
  }

 private:
  const std::string name_;
  const StringMatcherPtr matcher_;
};

class SubjectIs : public Condition {
 public:
  explicit SubjectIs(StringMatcherPtr matcher) : matcher_(std::move(matcher)) {}
  bool holds(const PolicyInput& input) const override {
    return !input.info.subject.empty() && matcher_->matches(input.info.subject);
  }

 private:
  const StringMatcherPtr matcher_;
};

class QueryIs : public Condition {
 public:
  QueryIs(std::string name, StringMatcherPtr matcher)
      : name_(std::move(name)), matcher_(std::move(matcher)) {}
  bool holds(const PolicyInput& input) const override {
    const auto value = queryParameter(input.target.query, name_);
    return value && matcher_->matches(*value);
  }

 private:
  const std::string name_;
  const StringMatcherPtr matcher_;
};

class RemoteIn : public Condition {
 public:
  RemoteIn(uint32_t network, unsigned bits)
      : mask_(bits == 0 ? 0 : ~uint32_t{0} << (32 - bits)), network_(network & mask_) {}
  bool holds(const PolicyInput& input) const override {
    return input.remote != 0 && (input.remote & mask_) == network_;
  }

 private:
  const uint32_t mask_;
  const uint32_t network_;
};

std::optional<uint32_t> parseIpv4(std::string_view text) {
  uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    const std::optional<uint64_t> byte = parseDecimal(cutToken(text, '.'));
    if (!byte || *byte > 255) return std::nullopt;
    address = address << 8 | static_cast<uint32_t>(*byte);
  }
  return text.empty() ? std::optional<uint32_t>(address) : std::nullopt;
}

struct Policy {
  std::string name;
  ConditionPtr condition;
  bool allow = false;
  bool shadow = false;
  MetricId hits;
};

struct PolicyConfig {
  std::vector<Policy> policies;
  bool allowByDefault = true;
  StatsHub* stats = nullptr;
};

class AccessPolicyFilter : public PassThroughFilter {
 public:
  AccessPolicyFilter(const PolicyConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    const StreamInfo& info = callbacks_.info();
    const PolicyInput input{headers, info, splitTarget(headers.get(HeaderId::kPath).value_or("")),
                            parseIpv4(info.remoteAddress).value_or(0)};
    for (const Policy& policy : config_.policies) {
      if (!policy.condition->holds(input)) continue;
      config_.stats->add(policy.hits);
      if (policy.shadow) continue;
      return policy.allow ? FilterStatus::kContinue : refuse();
    }
    return config_.allowByDefault ? FilterStatus::kContinue : refuse();
  }

 private:
  FilterStatus refuse() {
    callbacks_.sendLocalReply(403, "a policy forbids this\n", "policy_denied");
    return FilterStatus::kStop;
  }

  const PolicyConfig& config_;
  StreamCallbacks& callbacks_;
};

class AccessPolicyFactory : public FilterFactory {
 public:
  explicit AccessPolicyFactory(PolicyConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<AccessPolicyFilter>(config_, callbacks);
  }

 private:
  const PolicyConfig config_;
};

ConditionPtr readRemote(const Directive& directive) {
  directive.expectArgs(2, 2);
  const std::optional<uint32_t> network = parseIpv4(directive.arg(0));
  if (!network) directive.fail("'" + directive.arg(0) + "' is not an IPv4 address");
  return std::make_unique<RemoteIn>(*network, static_cast<unsigned>(directive.numberArg(1, 0, 32)));
}

ConditionPtr readCondition(const Directive& directive);

std::vector<ConditionPtr> readConditions(const Directive& directive) {
  directive.expectBlock();
  std::vector<ConditionPtr> parts;
  for (const Directive& child : directive.children) parts.push_back(readCondition(child));
  if (parts.empty()) directive.fail("'" + directive.name + "' holds no condition");
  return parts;
}

ConditionPtr readCondition(const Directive& directive) {
  const std::string& kind = directive.name;
  if (kind == "all") return std::make_unique<All>(readConditions(directive));
  if (kind == "any") return std::make_unique<Any>(readConditions(directive));
  if (kind == "none") return std::make_unique<None>(readConditions(directive));
  if (kind == "path") return std::make_unique<PathIs>(makeStringMatcher(directive, 0));
  if (kind == "subject") return std::make_unique<SubjectIs>(makeStringMatcher(directive, 0));
  if (kind == "remote") return readRemote(directive);
  if (kind == "method") {
    directive.expectArgs(1, SIZE_MAX);
    return std::make_unique<MethodIs>(directive.args);
  }
  if (kind == "header") {
    return std::make_unique<HeaderIs>(directive.arg(0), makeStringMatcher(directive, 1));
  }
  if (kind == "query") {
    return std::make_unique<QueryIs>(directive.arg(0), makeStringMatcher(directive, 1));
  }
  directive.failUnknown("a policy");
}

Policy readPolicy(const Directive& directive, StatsHub& stats) {
  directive.expectArgs(2, 2);
  Policy policy;
  enum { kAllow, kDeny, kShadow };
  const size_t action = directive.wordArg(1, {"allow", "deny", "shadow"});
  policy.name = directive.arg(0);
  policy.allow = action == kAllow;
  policy.shadow = action == kShadow;
  policy.condition = std::make_unique<All>(readConditions(directive));
  policy.hits = stats.counter("access_policy." + policy.name);
  return policy;
}

}  // namespace

std::unique_ptr<FilterFactory> makeAccessPolicy(const Directive& directive,
                                                FilterContext& context) {
  PolicyConfig config;
  config.stats = &context.stats;
  for (const Directive& child : directive.children) {
    if (child.name == "policy") {
      config.policies.push_back(readPolicy(child, context.stats));
    } else if (child.name == "default") {
      config.allowByDefault = child.wordArg(0, {"allow", "deny"}) == 0;
    } else {
      child.failUnknown("filter access_policy");
    }
  }
  return std::make_unique<AccessPolicyFactory>(std::move(config));
}

}  // namespace mesh
