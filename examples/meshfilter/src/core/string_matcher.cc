#include "core/string_matcher.h"

#include <string>
#include <utility>
#include <vector>

namespace mesh {

namespace {

class ExactMatcher : public StringMatcher {
 public:
  explicit ExactMatcher(std::string pattern) : pattern_(std::move(pattern)) {}
  bool matches(std::string_view text) const override { return text == pattern_; }

 private:
  const std::string pattern_;
};

class PrefixMatcher : public StringMatcher {
 public:
  explicit PrefixMatcher(std::string pattern) : pattern_(std::move(pattern)) {}
  bool matches(std::string_view text) const override { return text.starts_with(pattern_); }

 private:
  const std::string pattern_;
};

class SuffixMatcher : public StringMatcher {
 public:
  explicit SuffixMatcher(std::string pattern) : pattern_(std::move(pattern)) {}
  bool matches(std::string_view text) const override { return text.ends_with(pattern_); }

 private:
  const std::string pattern_;
};

class ContainsMatcher : public StringMatcher {
 public:
  explicit ContainsMatcher(std::string pattern) : pattern_(std::move(pattern)) {}
  bool matches(std::string_view text) const override {
    return text.find(pattern_) != std::string_view::npos;
  }

 private:
  const std::string pattern_;
};

class PresentMatcher : public StringMatcher {
 public:
  bool matches(std::string_view) const override { return true; }
};

/// A glob, compiled to steps. Matching remembers only the last star of each kind and goes back to
/// it, so the work stays polynomial: at worst the pattern times the square of the text.
class GlobMatcher : public StringMatcher {
 public:
  explicit GlobMatcher(std::string_view pattern) {
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '?') {
        steps_.push_back({Kind::kOne, '?'});
      } else if (pattern[i] != '*') {
        steps_.push_back({Kind::kLiteral, pattern[i]});
      } else if (i + 1 < pattern.size() && pattern[i + 1] == '*') {
        steps_.push_back({Kind::kDeepStar, '*'});
        ++i;
      } else {
        steps_.push_back({Kind::kStar, '*'});
      }
    }
  }

  bool matches(std::string_view text) const override {
    Retry star;
    Retry deep;
    size_t step = 0;
    size_t at = 0;
    while (true) {
      if (step < steps_.size() && steps_[step].kind == Kind::kStar) {
        star = {++step, at, true};
      } else if (step < steps_.size() && steps_[step].kind == Kind::kDeepStar) {
        deep = {++step, at, true};
        star.armed = false;
      } else if (step == steps_.size() && at == text.size()) {
        return true;
      } else if (step < steps_.size() && at < text.size() && accepts(steps_[step], text[at])) {
        ++step;
        ++at;
      } else if (star.armed && star.at < text.size() && text[star.at] != '/') {
        step = star.step;
        at = ++star.at;
      } else if (deep.armed && deep.at < text.size()) {
        step = deep.step;
        at = ++deep.at;
        star.armed = false;
      } else {
        return false;
      }
    }
  }

 private:
  enum class Kind { kLiteral, kOne, kStar, kDeepStar };

  struct Step {
    Kind kind;
    char literal;
  };

  struct Retry {
    size_t step = 0;
    size_t at = 0;
    bool armed = false;
  };

  static bool accepts(const Step& step, char c) {
    return step.kind == Kind::kOne ? c != '/' : c == step.literal;
  }

  std::vector<Step> steps_;
};

}  // namespace

StringMatcherPtr makeStringMatcher(const Directive& directive, size_t index) {
  enum { kExact, kPrefix, kSuffix, kContains, kGlob, kPresent };
  const size_t kind =
      directive.wordArg(index, {"exact", "prefix", "suffix", "contains", "glob", "present"});
  if (kind == kPresent) {
    directive.expectArgs(index + 1, index + 1);
    return std::make_unique<PresentMatcher>();
  }
  const std::string& pattern = directive.arg(index + 1);
  if (pattern.empty()) directive.fail("an empty pattern");
  switch (kind) {
    case kExact:
      return std::make_unique<ExactMatcher>(pattern);
    case kPrefix:
      return std::make_unique<PrefixMatcher>(pattern);
    case kSuffix:
      return std::make_unique<SuffixMatcher>(pattern);
    case kContains:
      return std::make_unique<ContainsMatcher>(pattern);
    default:
      return std::make_unique<GlobMatcher>(pattern);
  }
}

}  // namespace mesh
