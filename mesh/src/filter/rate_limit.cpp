#include "filter/rate_limit.hpp"

#include "base/text.hpp"

namespace hone::mesh {

Duration Bucket::take(Moment now) {
  const std::int64_t now_ns = now.time_since_epoch().count();
  std::int64_t before = full_at_ns_.load(std::memory_order_relaxed);
  std::int64_t full_at = 0;
  do {
    full_at = std::max(before, now_ns) + each_.count();
    if (const Duration missing(full_at - now_ns - most_.count()); missing > Duration(0)) return missing;
  } while (!full_at_ns_.compare_exchange_weak(before, full_at, std::memory_order_relaxed));
  return Duration(0);
}

Verdict RateLimit::on_request(Passage& passage) const {
  const Duration missing = bucket_.take(passage.parts.loop.now());
  if (missing == Duration(0)) return Verdict::kNext;
  if (is_shadow_) {
    passage.metrics.rate_limit_shadow.add();
    return Verdict::kNext;
  }
  passage.metrics.rate_limited.add();
  passage.flags.add(Flag::kRateLimited);
  passage.answer.status = 429;
  const auto seconds = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(missing).count());
  const std::string_view text = passage.arena.copy(Digits(seconds));
  passage.answer.headers.add(passage.arena, {"retry-after", text, HeaderId::kOther});
  return Verdict::kAnswer;
}

}  // namespace hone::mesh
