#include "cluster/outlier.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace hone::mesh {
namespace {

std::uint32_t most_ejected(const ClusterSpec& spec) {
  const std::size_t share = spec.endpoints.size() * spec.outlier->most_percent / 100;
  return static_cast<std::uint32_t>(std::max<std::size_t>(share, 1));
}

// Sets a count to zero that is seldom anything else: most of the time it writes nothing that others read.
void clear(std::atomic<std::uint32_t>& count) {
  if (count.load(std::memory_order_relaxed) != 0) count.store(0, std::memory_order_relaxed);
}

void note_failure(const ClusterSpec& spec, std::size_t endpoint, std::atomic<std::uint32_t>& count, std::uint32_t most,
                  Moment now) {
  if (most == 0) return;
  if (count.fetch_add(1, std::memory_order_relaxed) + 1 < most) return;
  clear(count);
  eject(spec, endpoint, now);
}

}  // namespace

std::vector<EndpointTotals> totals_of(const ClusterSpec& spec) {
  std::vector<EndpointTotals> totals;
  for (const EndpointSpec& endpoint : spec.endpoints) {
    totals.push_back({.requests = endpoint.counts->sum([](const EndpointCounts& one) { return one.requests.read(); }),
                      .failures = endpoint.counts->sum([](const EndpointCounts& one) { return one.failures.read(); })});
  }
  return totals;
}

bool eject(const ClusterSpec& spec, std::size_t endpoint, Moment now) {
  EndpointHealth& health = *spec.endpoints[endpoint].health;
  ClusterHealth& all = *spec.health;
  if (all.ejected.fetch_add(1, std::memory_order_relaxed) >= most_ejected(spec)) {
    all.ejected.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  const OutlierRule& rule = *spec.outlier;
  const std::uint32_t times = health.ejections.load(std::memory_order_relaxed) + 1;
  const Duration longest = std::max(rule.longest, rule.time);
  const Duration time = rule.time > longest / times ? longest : rule.time * times;
  std::int64_t none = 0;
  const std::int64_t until_ns = (now + time).time_since_epoch().count();
  if (!health.ejected_until_ns.compare_exchange_strong(none, until_ns, std::memory_order_relaxed)) {
    all.ejected.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  health.ejections.store(times, std::memory_order_relaxed);
  all.ejections.fetch_add(1, std::memory_order_relaxed);
  all.changed();
  return true;
}

void note_answer(const ClusterSpec& spec, std::size_t endpoint, bool is_gateway_failure, Moment now) {
  if (!spec.outlier) return;
  EndpointHealth& health = *spec.endpoints[endpoint].health;
  clear(health.local_failures);
  if (!is_gateway_failure) return clear(health.gateway_failures);
  note_failure(spec, endpoint, health.gateway_failures, spec.outlier->gateway_failures, now);
}

void note_local_failure(const ClusterSpec& spec, std::size_t endpoint, Moment now) {
  if (!spec.outlier) return;
  note_failure(spec, endpoint, spec.endpoints[endpoint].health->local_failures, spec.outlier->local_failures, now);
}

double threshold_of(std::span<const double> rates, double deviations) {
  const auto count = static_cast<double>(rates.size());
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / count;
  const double squares = std::accumulate(
      rates.begin(), rates.end(), 0.0, [mean](double sum, double rate) { return sum + (rate - mean) * (rate - mean); });
  return mean - deviations * std::sqrt(squares / count);
}

void OutlierWatch::change(std::shared_ptr<const ClusterSpec> spec) {
  std::unordered_map<const void*, EndpointTotals> known;
  for (std::size_t at = 0; at < before_.size(); ++at) known[spec_->endpoints[at].counts.get()] = before_[at];
  spec_ = std::move(spec);
  before_.clear();
  for (const EndpointSpec& endpoint : spec_->endpoints) before_.push_back(known[endpoint.counts.get()]);
}

void OutlierWatch::bring_back(Moment now) {
  for (const EndpointSpec& endpoint : spec_->endpoints) {
    EndpointHealth& health = *endpoint.health;
    const std::int64_t until_ns = health.ejected_until_ns.load(std::memory_order_relaxed);
    const std::uint32_t ejections = health.ejections.load(std::memory_order_relaxed);
    if (until_ns == 0) {
      if (ejections > 0) health.ejections.store(ejections - 1, std::memory_order_relaxed);
      continue;
    }
    if (until_ns > now.time_since_epoch().count()) continue;
    clear(health.gateway_failures);
    clear(health.local_failures);
    health.ejected_until_ns.store(0, std::memory_order_relaxed);
    spec_->health->ejected.fetch_sub(1, std::memory_order_relaxed);
    spec_->health->changed();
  }
}

void OutlierWatch::end_interval(std::span<const EndpointTotals> totals, Moment now) {
  bring_back(now);
  const auto& rule = spec_->outlier->success_rate;
  std::vector<double> rates;
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < totals.size(); ++at) {
    const std::uint64_t requests = totals[at].requests - before_[at].requests;
    const std::uint64_t failures = totals[at].failures - before_[at].failures;
    before_[at] = totals[at];
    if (!rule || requests == 0 || requests < rule->requests) continue;
    rates.push_back(1 - static_cast<double>(failures) / static_cast<double>(requests));
    places.push_back(at);
  }
  if (!rule || rates.empty() || rates.size() < rule->endpoints) return;
  const double threshold = threshold_of(rates, rule->deviations);
  for (std::size_t at = 0; at < rates.size(); ++at) {
    if (rates[at] < threshold) eject(*spec_, places[at], now);
  }
}

}  // namespace hone::mesh
