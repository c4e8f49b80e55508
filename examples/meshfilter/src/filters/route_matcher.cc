#include "filters/route_matcher.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "http/uri.h"

namespace mesh {

namespace {

class PathCondition : public RouteMatcher {
 public:
  explicit PathCondition(StringMatcherPtr matcher) : matcher_(std::move(matcher)) {}
  bool matches(const RouteInput& input) const override { return matcher_->matches(input.path); }

 private:
  const StringMatcherPtr matcher_;
};

class MethodCondition : public RouteMatcher {
 public:
  explicit MethodCondition(std::vector<std::string> methods) : methods_(std::move(methods)) {}
  bool matches(const RouteInput& input) const override {
    return std::find(methods_.begin(), methods_.end(), input.method) != methods_.end();
  }

 private:
  const std::vector<std::string> methods_;
};

class HeaderCondition : public RouteMatcher {
 public:
  HeaderCondition(std::string name, StringMatcherPtr matcher)
      : name_(std::move(name)), matcher_(std::move(matcher)) {}
  bool matches(const RouteInput& input) const override {
    const auto value = input.headers.get(std::string_view(name_));
    return value && matcher_->matches(*value);
  }

 private:
  const std::string name_;
  const StringMatcherPtr matcher_;
};

class QueryCondition : public RouteMatcher {
 public:
  QueryCondition(std::string name, StringMatcherPtr matcher)
      : name_(std::move(name)), matcher_(std::move(matcher)) {}
  bool matches(const RouteInput& input) const override {
    const auto value = queryParameter(input.query, name_);
    return value && matcher_->matches(*value);
  }

 private:
  const std::string name_;
  const StringMatcherPtr matcher_;
};

class FractionCondition : public RouteMatcher {
 public:
  explicit FractionCondition(uint64_t perMille) : perMille_(perMille) {}
  bool matches(const RouteInput& input) const override { return input.dice % 1000 < perMille_; }

 private:
  const uint64_t perMille_;
};

class NotCondition : public RouteMatcher {
 public:
  explicit NotCondition(std::unique_ptr<RouteMatcher> inner) : inner_(std::move(inner)) {}
  bool matches(const RouteInput& input) const override { return !inner_->matches(input); }

 private:
  const std::unique_ptr<RouteMatcher> inner_;
};

std::unique_ptr<RouteMatcher> makeCondition(const Directive& directive) {
  switch (directive.wordArg(0, {"path", "method", "header", "query", "fraction"})) {
    case 0:
      return std::make_unique<PathCondition>(makeStringMatcher(directive, 1));
    case 1:
      directive.expectArgs(2, SIZE_MAX);
      return std::make_unique<MethodCondition>(
          std::vector<std::string>(directive.args.begin() + 1, directive.args.end()));
    case 2:
      return std::make_unique<HeaderCondition>(directive.arg(1), makeStringMatcher(directive, 2));
    case 3:
      return std::make_unique<QueryCondition>(directive.arg(1), makeStringMatcher(directive, 2));
    default:
      return std::make_unique<FractionCondition>(directive.numberArg(1, 0, 1000));
  }
}

}  // namespace

std::unique_ptr<RouteMatcher> makeRouteMatcher(const Directive& directive) {
  std::unique_ptr<RouteMatcher> condition = makeCondition(directive);
  if (directive.name != "unless") return condition;
  return std::make_unique<NotCondition>(std::move(condition));
}

}  // namespace mesh
