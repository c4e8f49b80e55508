#include "cluster/cluster.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
#include "cluster/outlier.hpp"

namespace hone::mesh {

Cluster::Cluster(std::shared_ptr<const ClusterSpec> spec, std::unique_ptr<Balancer> balancer,
                 std::vector<Held<Endpoint>> endpoints, std::size_t worker)
    : spec_(std::move(spec)),
      worker_(worker),
      metrics_(spec_->metrics->of(worker)),
      balancer_(std::move(balancer)),
      endpoints_(std::move(endpoints)) {
  for (const EndpointSpec& endpoint : spec_->endpoints) loads_.push_back({.weight = endpoint.weight});
  for (std::size_t at = 0; at < loads_.size(); ++at) endpoints_[at]->follow(loads_[at]);
  look_at_health();
}

Cluster::~Cluster() {
  for (std::size_t at = 0; at < loads_.size(); ++at) endpoints_[at]->unfollow(loads_[at]);
}

Held<Cluster> make_cluster(Parts parts, std::shared_ptr<const ClusterSpec> spec, std::size_t worker, Cluster* before) {
  // An address may stand for several endpoints.
  std::unordered_multimap<std::string_view, Held<Endpoint>> others;
  const bool may_take_over = before != nullptr && spec->ConnectionSpec::is_like(before->spec());
  if (before != nullptr) {
    for (const Held<Endpoint>& endpoint : before->endpoints_) others.emplace(endpoint->address().bytes(), endpoint);
  }
  // Endpoints outlive the specification.
  const auto connections = std::make_shared<const ConnectionSpec>(*spec);
  std::vector<Held<Endpoint>> endpoints;
  endpoints.reserve(spec->endpoints.size());
  for (const EndpointSpec& endpoint : spec->endpoints) {
    // An address that shares memory is not the same as the ordinary address of its socket.
    auto [found, end] = others.equal_range(endpoint.address.bytes());
    while (found != end && found->second->address() != endpoint.address) ++found;
    if (may_take_over && found != end) {
      endpoints.push_back(found->second);
      others.erase(found);
    } else {
      endpoints.push_back(Held<Endpoint>::make(parts, connections, endpoint.address));
    }
  }
  for (const auto& [address, endpoint] : others) endpoint->drain();
  std::unique_ptr<Balancer> balancer = make_balancer(*spec);
  return Held<Cluster>::make(std::move(spec), std::move(balancer), std::move(endpoints), worker);
}

void Cluster::look_at_health() {
  version_ = spec_->health->version.load(std::memory_order_acquire);
  is_up_.clear();
  std::vector<LevelHealth> levels(1);
  std::size_t up = 0;
  for (const EndpointSpec& endpoint : spec_->endpoints) {
    is_up_.push_back(endpoint.health->is_up());
    if (endpoint.level >= levels.size()) levels.resize(endpoint.level + 1);
    ++levels[endpoint.level].endpoints;
    levels[endpoint.level].up += is_up_.back() ? 1 : 0;
    up += is_up_.back() ? 1 : 0;
  }
  shares_ = share_out(levels);
  if (!shares_.can_take_all && up * 100 < spec_->panic_percent * is_up_.size()) {
    is_up_.assign(is_up_.size(), true);
    shares_ = {};
  }
  level_ = kAnyLevel;
  for (std::size_t at = 0; at < loads_.size(); ++at) loads_[at].may_be_picked = is_up_[at];
}

// Returns the level that a request falls to: always the same one for a key, while nothing changes.
std::uint32_t Cluster::level_for(const Choice& choice) const {
  const auto& percent = shares_.percent;
  if (percent.size() < 2) return kAnyLevel;
  const auto point = static_cast<std::uint32_t>(choice.key ? mixed(*choice.key) % 100 : choice.random.below(100));
  std::uint32_t below = 0;
  for (std::uint32_t level = 0; level < percent.size(); ++level) {
    below += percent[level];
    if (point < below) return level;
  }
  return kAnyLevel;
}

std::optional<std::size_t> Cluster::pick_of(std::uint32_t level, const Tried& tried, const Choice& choice) {
  const auto may_be_picked = [&](std::size_t at) {
    return is_up_[at] && (level == kAnyLevel || spec_->endpoints[at].level == level);
  };
  if (std::exchange(level_, level) != level) {
    for (std::size_t at = 0; at < loads_.size(); ++at) loads_[at].may_be_picked = may_be_picked(at);
  }
  for (const std::size_t at : tried) loads_[at].may_be_picked = false;
  const std::optional<std::size_t> picked = balancer_->pick(loads_, choice);
  for (const std::size_t at : tried) loads_[at].may_be_picked = may_be_picked(at);
  return picked;
}

std::optional<std::size_t> Cluster::pick(const Tried& tried, const Choice& choice) {
  if (spec_->health->version.load(std::memory_order_relaxed) != version_) look_at_health();
  const std::uint32_t level = level_for(choice);
  std::optional<std::size_t> picked = pick_of(level, tried, choice);
  if (!picked && level != kAnyLevel) picked = pick_of(kAnyLevel, tried, choice);
  if (!picked && !tried.empty()) picked = pick_of(kAnyLevel, {}, choice);
  return picked;
}

void Cluster::answered(std::size_t endpoint, int status, Moment now) {
  counts(endpoint).requests.add();
  if (status >= 500) counts(endpoint).failures.add();
  note_answer(*spec_, endpoint, status >= 502 && status <= 504, now);
}

void Cluster::failed(std::size_t endpoint, Moment now) {
  counts(endpoint).requests.add();
  broke_off(endpoint, now);
}

void Cluster::broke_off(std::size_t endpoint, Moment now) {
  counts(endpoint).failures.add();
  note_local_failure(*spec_, endpoint, now);
}

void Cluster::drain() {
  for (const Held<Endpoint>& endpoint : endpoints_) endpoint->drain();
}

}  // namespace hone::mesh
