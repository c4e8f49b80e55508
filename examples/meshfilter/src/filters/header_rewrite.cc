// Sets, adds, renames and removes headers in both directions; values are format strings.

#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "filters/builtin.h"
#include "filters/formatter.h"

namespace mesh {

namespace {

struct RewriteInput {
  HeaderMap& headers;
  const FormatInput& format;
};

class RewriteStep {
 public:
  virtual ~RewriteStep() = default;
  virtual void apply(const RewriteInput& input) const = 0;
};

enum class SetMode { kSet, kAdd, kDefault };

class SetStep : public RewriteStep {
 public:
  SetStep(SetMode mode, std::string name, Format value)
      : mode_(mode), name_(std::move(name)), value_(std::move(value)) {}

  void apply(const RewriteInput& input) const override {
    const std::string_view name = name_;
    if (mode_ == SetMode::kDefault && input.headers.get(name)) return;
    std::string value;
    value_.append(input.format, value);
    if (mode_ == SetMode::kAdd) {
      input.headers.add(name, value);
    } else {
      input.headers.set(name, value);
    }
  }

 private:
  const SetMode mode_;
  const std::string name_;
  const Format value_;
};

/// Adds to a comma-separated list, as X-Forwarded-For and Via want it.
class AppendStep : public RewriteStep {
 public:
  AppendStep(std::string name, Format value) : name_(std::move(name)), value_(std::move(value)) {}

  void apply(const RewriteInput& input) const override {
    const std::string_view name = name_;
    std::string list(input.headers.get(name).value_or(""));
    if (!list.empty()) list.append(", ");
    value_.append(input.format, list);
    input.headers.set(name, list);
  }

 private:
  const std::string name_;
  const Format value_;
};

class RenameStep : public RewriteStep {
 public:
  RenameStep(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}

  void apply(const RewriteInput& input) const override {
    const auto value = input.headers.get(std::string_view(from_));
    if (!value) return;
    const std::string copy(*value);
    input.headers.remove(std::string_view(from_));
    input.headers.set(std::string_view(to_), copy);
  }

 private:
  const std::string from_;
  const std::string to_;
};

class RemoveStep : public RewriteStep, private NameFilter {
 public:
  void addMatcher(StringMatcherPtr matcher) { matchers_.push_back(std::move(matcher)); }
  void apply(const RewriteInput& input) const override { input.headers.removeIf(*this); }

 private:
  bool selects(std::string_view name) const override {
    for (const StringMatcherPtr& matcher : matchers_) {
      if (matcher->matches(name)) return true;
    }
    return false;
  }

  std::vector<StringMatcherPtr> matchers_;
};

using Steps = std::vector<std::unique_ptr<RewriteStep>>;

struct RewriteConfig {
  Steps request;
  Steps response;
};

class HeaderRewriteFilter : public PassThroughFilter {
 public:
  HeaderRewriteFilter(const RewriteConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    request_ = &headers;
    const FormatInput format{callbacks_.info(), headers, nullptr};
    run(config_.request, {headers, format});
    return FilterStatus::kContinue;
  }

  void onResponseHeaders(HeaderMap& headers) override {
    const FormatInput format{callbacks_.info(), *request_, &headers};
    run(config_.response, {headers, format});
  }

 private:
  static void run(const Steps& steps, const RewriteInput& input) {
    for (const auto& step : steps) step->apply(input);
  }

  const RewriteConfig& config_;
  StreamCallbacks& callbacks_;
  const HeaderMap* request_ = nullptr;
};

class HeaderRewriteFactory : public FilterFactory {
 public:
  explicit HeaderRewriteFactory(RewriteConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<HeaderRewriteFilter>(config_, callbacks);
  }

 private:
  const RewriteConfig config_;
};

std::unique_ptr<RewriteStep> readStep(const Directive& directive) {
  if (directive.name == "rename") {
    directive.expectArgs(2, 2);
    return std::make_unique<RenameStep>(directive.arg(0), directive.arg(1));
  }
  if (directive.name == "remove") {
    auto step = std::make_unique<RemoveStep>();
    if (!directive.isBlock) step->addMatcher(makeStringMatcher(directive, 0));
    for (const Directive& child : directive.children) {
      if (child.name != "name") child.failUnknown("remove");
      step->addMatcher(makeStringMatcher(child, 0));
    }
    return step;
  }
  const bool known = directive.name == "set" || directive.name == "add" ||
                     directive.name == "default" || directive.name == "append";
  if (!known) directive.failUnknown("header_rewrite");
  directive.expectArgs(2, 2);
  const std::string& name = directive.arg(0);
  if (name.empty() || name[0] == ':') directive.fail("'" + name + "' cannot be set here");
  Format value(directive.arg(1), Escape::kNone, directive);
  if (directive.name == "append") return std::make_unique<AppendStep>(name, std::move(value));
  const SetMode mode = directive.name == "set"   ? SetMode::kSet
                       : directive.name == "add" ? SetMode::kAdd
                                                 : SetMode::kDefault;
  return std::make_unique<SetStep>(mode, name, std::move(value));
}

}  // namespace

std::unique_ptr<FilterFactory> makeHeaderRewrite(const Directive& directive, FilterContext&) {
  RewriteConfig config;
  for (const Directive& child : directive.children) {
    if (child.name != "request" && child.name != "response") {
      child.failUnknown("filter header_rewrite");
    }
    child.expectBlock();
    Steps& steps = child.name == "request" ? config.request : config.response;
    for (const Directive& step : child.children) steps.push_back(readStep(step));
  }
  return std::make_unique<HeaderRewriteFactory>(std::move(config));
}

}  // namespace mesh
