// Faults on purpose, to test services: requests that wait, and requests that fail.
#pragma once

#include <atomic>

#include "filter/filter.hpp"

namespace hone::mesh {

struct FaultRule {
  // Shares of the requests, in millionths.
  std::uint32_t abort_share = 0;
  std::uint32_t delay_share = 0;
  int abort_status = 503;
  Duration delay{};
  // The number of requests, over all workers, that wait at one time at most; further ones do not wait.
  std::uint32_t most_waiting = 100;
};

// Fault delays some requests, and then answers some with a failure.
class Fault final : public Filter {
 public:
  explicit Fault(const FaultRule& rule) : rule_(rule) {}

  Events events() const override { return {.request = true}; }
  Verdict on_request(Passage& passage) const override;

 private:
  struct Delay;

  Verdict delayed(Passage& passage) const;
  Verdict behind_delay(Passage& passage) const;

  const FaultRule rule_;
  mutable std::atomic<std::uint32_t> waiting_{0};
};

}  // namespace hone::mesh
