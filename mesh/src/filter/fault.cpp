#include "filter/fault.hpp"

namespace hone::mesh {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;

}  // namespace

// Delay is one request that waits.
struct Fault::Delay {
  Delay(const Fault& fault, Passage& waiting)
      : home(fault), passage(waiting), timer(Delegate<void()>::of<&Delay::on_time>(*this)) {}
  ~Delay() { give_back(); }

  void on_time() {
    give_back();
    passage.go_on(home.behind_delay(passage));
  }
  void give_back() {
    if (std::exchange(is_counted, false)) home.waiting_.fetch_sub(1, std::memory_order_relaxed);
  }

  const Fault& home;
  Passage& passage;
  Timer timer;
  bool is_counted = true;
};

Verdict Fault::on_request(Passage& passage) const {
  if (rule_.delay_share > 0 && passage.parts.random.below(kMillion) < rule_.delay_share) return delayed(passage);
  return behind_delay(passage);
}

Verdict Fault::delayed(Passage& passage) const {
  if (waiting_.fetch_add(1, std::memory_order_relaxed) >= rule_.most_waiting) {
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return behind_delay(passage);
  }
  passage.metrics.faults_delayed.add();
  passage.flags.add(Flag::kFaultDelay);
  auto delay = std::make_shared<Delay>(*this, passage);
  passage.parts.loop.set(delay->timer, passage.parts.loop.now() + rule_.delay);
  passage.waits.push_back(std::move(delay));
  return Verdict::kWait;
}

Verdict Fault::behind_delay(Passage& passage) const {
  if (rule_.abort_share == 0 || passage.parts.random.below(kMillion) >= rule_.abort_share) return Verdict::kNext;
  passage.metrics.faults_aborted.add();
  passage.flags.add(Flag::kFaultAbort);
  passage.answer.status = rule_.abort_status;
  return Verdict::kAnswer;
}

}  // namespace hone::mesh
