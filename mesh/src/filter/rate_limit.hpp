// A limit on the number of requests in a time, over all workers.
#pragma once

#include <algorithm>
#include <atomic>

#include "filter/filter.hpp"

namespace hone::mesh {

// Bucket holds tokens that come back at an even pace. It is one number, the time at which the bucket is full again
// (the generic cell rate algorithm of ATM, ITU-T I.371), so that workers share it without a lock.
class Bucket {
 public:
  // As many tokens as `tokens` come back within `per`; the bucket holds up to `burst` of them.
  Bucket(std::uint32_t tokens, Duration per, std::uint32_t burst)
      : each_(std::max(per / tokens, Duration(1))), most_(each_ * burst) {}

  // Takes a token and returns zero; where there is none, returns the time until there is one.
  Duration take(Moment now);

 private:
  const Duration each_;
  const Duration most_;
  std::atomic<std::int64_t> full_at_ns_{0};
};

struct RateLimitRule {
  std::uint32_t requests = 1;
  Duration per = std::chrono::seconds(1);
  // The number of requests that may come at once after a pause.
  std::uint32_t burst = 1;
  // True to only count the requests that would be refused.
  bool is_shadow = false;
};

// RateLimit answers with 429 and Retry-After where there is no token.
class RateLimit final : public Filter {
 public:
  explicit RateLimit(const RateLimitRule& rule)
      : bucket_(rule.requests, rule.per, rule.burst), is_shadow_(rule.is_shadow) {}

  Events events() const override { return {.request = true}; }
  Verdict on_request(Passage& passage) const override;

 private:
  mutable Bucket bucket_;
  const bool is_shadow_;
};

}  // namespace hone::mesh
