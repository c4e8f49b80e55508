// Token buckets. Each limit names what its buckets are keyed by; a request must find a token in the
// bucket of every limit that applies to it.

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "core/text.h"
#include "filters/builtin.h"

namespace mesh {

namespace {

/// One part of a bucket's key.
class KeyPart {
 public:
  virtual ~KeyPart() = default;
  /// False if the request has no such part; then the limit does not apply.
  virtual bool append(const HeaderMap& headers, const StreamInfo& info, std::string& key) const = 0;
};

class RemoteKey : public KeyPart {
 public:
  bool append(const HeaderMap&, const StreamInfo& info, std::string& key) const override {
    key.append(info.remoteAddress);
    return true;
  }
};

class SubjectKey : public KeyPart {
 public:
  bool append(const HeaderMap&, const StreamInfo& info, std::string& key) const override {
    key.append(info.subject);
    return !info.subject.empty();
  }
};

class HeaderKey : public KeyPart {
 public:
  explicit HeaderKey(std::string name) : name_(std::move(name)) {}
  bool append(const HeaderMap& headers, const StreamInfo&, std::string& key) const override {
    const auto value = headers.get(std::string_view(name_));
    key.append(value.value_or(""));
    return value.has_value();
  }

 private:
  const std::string name_;
};

/// The first segments of the path, so that all items of a collection share a bucket.
class PathKey : public KeyPart {
 public:
  explicit PathKey(size_t segments) : segments_(segments) {}
  bool append(const HeaderMap& headers, const StreamInfo&, std::string& key) const override {
    const std::string_view path = headers.get(HeaderId::kPath).value_or("");
    size_t slashes = 0;
    for (const char c : path) {
      if (c == '?') break;
      if (c == '/' && ++slashes > segments_) break;
      key.push_back(c);
    }
    return true;
  }

 private:
  const size_t segments_;
};

struct Bucket {
  uint64_t milliTokens = 0;
  uint64_t filledUs = 0;
};

struct Limit {
  std::string name;
  std::vector<std::unique_ptr<KeyPart>> keyParts;
  StringMatcherPtr path;  // none: all paths
  uint64_t ratePerS = 0;
  uint64_t burst = 0;
  MetricId limited;
};

/// The buckets of one limit. When there are too many keys, full ones go first: a key that comes
/// again finds a full bucket anyway.
class BucketTable {
 public:
  BucketTable(uint64_t ratePerS, uint64_t burst, size_t keysMax)
      : ratePerS_(ratePerS), capacity_(burst * 1000), keysMax_(keysMax) {}

  /// Microseconds until a token is there; 0 if one was taken.
  uint64_t take(std::string_view key, uint64_t nowUs) {
    auto found = buckets_.find(key);
    if (found == buckets_.end()) {
      if (buckets_.size() >= keysMax_) dropFull(nowUs);
      if (buckets_.size() >= keysMax_) return 0;
      found = buckets_.emplace(std::string(key), Bucket{capacity_, nowUs}).first;
    }
    Bucket& bucket = found->second;
    const uint64_t level = levelAt(bucket, nowUs);
    if (level > bucket.milliTokens || level == capacity_) bucket = {level, nowUs};
    if (bucket.milliTokens >= 1000) {
      bucket.milliTokens -= 1000;
      return 0;
    }
    return std::max<uint64_t>(1, (1000 - bucket.milliTokens) * 1000 / ratePerS_);
  }

 private:
  /// In thousandths of a token, so that slow rates gain something between close requests.
  uint64_t levelAt(const Bucket& bucket, uint64_t nowUs) const {
    return std::min(capacity_, bucket.milliTokens + (nowUs - bucket.filledUs) * ratePerS_ / 1000);
  }

  void dropFull(uint64_t nowUs) {
    std::erase_if(buckets_, [this, nowUs](const auto& entry) {
      return levelAt(entry.second, nowUs) == capacity_;
    });
  }

  const uint64_t ratePerS_;
  const uint64_t capacity_;
  const size_t keysMax_;
  std::unordered_map<std::string, Bucket, StringHash, std::equal_to<>> buckets_;
};

struct LimitState {
  Limit limit;
  BucketTable buckets;
};

class RateLimitFilter : public PassThroughFilter {
 public:
  RateLimitFilter(std::vector<LimitState>& limits, StatsHub& stats, StreamCallbacks& callbacks)
      : limits_(limits), stats_(stats), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    const uint64_t nowUs = callbacks_.time().nowUs();
    const std::string_view path = headers.get(HeaderId::kPath).value_or("");
    std::string key;
    for (LimitState& state : limits_) {
      const Limit& limit = state.limit;
      if (limit.path && !limit.path->matches(path)) continue;
      key.clear();
      if (!buildKey(limit, headers, key)) continue;
      waitUs_ = state.buckets.take(key, nowUs);
      if (waitUs_ == 0) continue;
      stats_.add(limit.limited);
      callbacks_.sendLocalReply(429, "slow down\n", "rate_limited");
      return FilterStatus::kStop;
    }
    return FilterStatus::kContinue;
  }

  void onResponseHeaders(HeaderMap& headers) override {
    if (waitUs_ == 0) return;
    std::string seconds;
    appendDecimal(seconds, (waitUs_ + 999'999) / 1'000'000);
    headers.set(HeaderId::kRetryAfter, seconds);
  }

 private:
  bool buildKey(const Limit& limit, const HeaderMap& headers, std::string& key) const {
    for (const auto& part : limit.keyParts) {
      if (!part->append(headers, callbacks_.info(), key)) return false;
      key.push_back('|');
    }
    return true;
  }

  std::vector<LimitState>& limits_;
  StatsHub& stats_;
  StreamCallbacks& callbacks_;
  uint64_t waitUs_ = 0;
};

class RateLimitFactory : public FilterFactory {
 public:
  RateLimitFactory(std::vector<LimitState> limits, StatsHub& stats)
      : limits_(std::move(limits)), stats_(stats) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<RateLimitFilter>(limits_, stats_, callbacks);
  }

 private:
  std::vector<LimitState> limits_;
  StatsHub& stats_;
};

std::unique_ptr<KeyPart> makeKeyPart(const Directive& directive) {
  switch (directive.wordArg(0, {"remote", "subject", "header", "path"})) {
    case 0:
      return std::make_unique<RemoteKey>();
    case 1:
      return std::make_unique<SubjectKey>();
    case 2:
      return std::make_unique<HeaderKey>(directive.arg(1));
    default:
      return std::make_unique<PathKey>(directive.numberArg(1, 1, 8));
  }
}

Limit readLimit(const Directive& directive, StatsHub& stats) {
  directive.expectArgs(1, 1);
  directive.expectBlock();
  Limit limit;
  limit.name = directive.arg(0);
  limit.limited = stats.counter("rate_limit." + limit.name + ".limited");
  for (const Directive& child : directive.children) {
    if (child.name == "key") {
      limit.keyParts.push_back(makeKeyPart(child));
    } else if (child.name == "path") {
      limit.path = makeStringMatcher(child, 0);
    } else if (child.name == "rate_per_s") {
      limit.ratePerS = child.numberArg(0, 1, 1'000'000);
    } else if (child.name == "burst") {
      limit.burst = child.numberArg(0, 1, 1'000'000);
    } else {
      child.failUnknown("limit");
    }
  }
  if (limit.ratePerS == 0) directive.fail("a limit needs 'rate_per_s'");
  if (limit.keyParts.empty()) directive.fail("a limit needs at least one 'key'");
  if (limit.burst == 0) limit.burst = limit.ratePerS;
  return limit;
}

}  // namespace

std::unique_ptr<FilterFactory> makeRateLimit(const Directive& directive, FilterContext& context) {
  size_t keysMax = 10'000;
  std::vector<Limit> limits;
  for (const Directive& child : directive.children) {
    if (child.name == "keys_max") {
      keysMax = child.numberArg(0, 1, 10'000'000);
    } else if (child.name == "limit") {
      limits.push_back(readLimit(child, context.stats));
    } else {
      child.failUnknown("filter rate_limit");
    }
  }
  std::vector<LimitState> states;
  for (Limit& limit : limits) {
    BucketTable buckets(limit.ratePerS, limit.burst, keysMax);
    states.push_back({std::move(limit), std::move(buckets)});
  }
  return std::make_unique<RateLimitFactory>(std::move(states), context.stats);
}

}  // namespace mesh
