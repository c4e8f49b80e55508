#include "cluster/balancer.hpp"

#include <algorithm>

namespace hone::mesh {
namespace {

// Picks the less loaded of two endpoints chosen at random, each with its weight's chance (Mitzenmacher, 1996): nearly
// as even as the least loaded of all, and many workers that know nothing of each other do not run to the same one.
class LeastRequest final : public Balancer {
 public:
  std::optional<std::size_t> pick(std::span<const Load> loads, const Choice& choice) override {
    const std::optional<std::size_t> first = draw(loads, choice.random, loads.size());
    if (!first) return std::nullopt;
    const std::optional<std::size_t> second = draw(loads, choice.random, *first);
    if (!second || is_lighter(loads[*first], loads[*second])) return first;
    return second;
  }

 private:
  // Compares requests relative to the weights by products, and with the request that is to come.
  static bool is_lighter(const Load& left, const Load& right) {
    return std::uint64_t{left.active + 1} * right.weight <= std::uint64_t{right.active + 1} * left.weight;
  }

  static std::optional<std::size_t> draw(std::span<const Load> loads, Random& random, std::size_t except) {
    std::uint64_t total = 0;
    for (std::size_t at = 0; at < loads.size(); ++at) total += weight_of(loads, at, except);
    if (total == 0) return std::nullopt;
    std::uint64_t left = random.below(static_cast<std::uint32_t>(total));
    std::size_t at = 0;
    while (left >= weight_of(loads, at, except)) left -= weight_of(loads, at++, except);
    return at;
  }

  static std::uint64_t weight_of(std::span<const Load> loads, std::size_t at, std::size_t except) {
    return at == except || !loads[at].may_be_picked ? 0 : loads[at].weight;
  }
};

// Gives each endpoint its share in turn, spread evenly: one of weight 5 and two of weight 1 get AABACAA and not
// AAAAABC.
class RoundRobin final : public Balancer {
 public:
  // Workers begin at different places, so that the first requests of all do not meet at one endpoint.
  std::optional<std::size_t> pick(std::span<const Load> loads, const Choice& choice) override {
    if (credits_.size() != loads.size()) {
      credits_.assign(loads.size(), 0);
      if (!loads.empty()) credits_[choice.random.below(static_cast<std::uint32_t>(loads.size()))] = 1;
    }
    std::int64_t total = 0;
    std::optional<std::size_t> best;
    for (std::size_t at = 0; at < loads.size(); ++at) {
      if (!loads[at].may_be_picked) continue;
      credits_[at] += loads[at].weight;
      total += loads[at].weight;
      if (!best || credits_[at] > credits_[*best]) best = at;
    }
    if (best) credits_[*best] -= total;
    return best;
  }

 private:
  std::vector<std::int64_t> credits_;
};

// Gives a key to the endpoint that it belongs to, or to the next one in the table that may be picked.
class ByHash final : public Balancer {
 public:
  explicit ByHash(std::shared_ptr<const HashTable> table) : table_(std::move(table)) {}

  std::optional<std::size_t> pick(std::span<const Load> loads, const Choice& choice) override {
    const auto may_be_picked = [](const Load& load) { return load.may_be_picked; };
    const auto first = std::find_if(loads.begin(), loads.end(), may_be_picked);
    if (first == loads.end()) return std::nullopt;
    std::size_t place = table_->place_of(choice.key ? *choice.key : choice.random.next());
    for (std::size_t steps = 0; steps < table_->size(); ++steps) {
      const std::uint32_t owner = table_->owner_of(place);
      if (loads[owner].may_be_picked) return owner;
      place = place + 1 < table_->size() ? place + 1 : 0;
    }
    // The weight of this endpoint gives it no place in the table.
    return static_cast<std::size_t>(first - loads.begin());
  }

 private:
  const std::shared_ptr<const HashTable> table_;
};

// Draws by weights that keep requests local. Where the drawn endpoint may not be picked, another balancer picks one.
class LocalFirst final : public Balancer {
 public:
  LocalFirst(std::span<const std::uint32_t> sums, std::unique_ptr<Balancer> all) : sums_(sums), all_(std::move(all)) {}

  std::optional<std::size_t> pick(std::span<const Load> loads, const Choice& choice) override {
    const std::uint32_t point = choice.random.below(sums_.back());
    const auto at = static_cast<std::size_t>(std::upper_bound(sums_.begin(), sums_.end(), point) - sums_.begin());
    return loads[at].may_be_picked ? at : all_->pick(loads, choice);
  }

 private:
  const std::span<const std::uint32_t> sums_;
  const std::unique_ptr<Balancer> all_;
};

std::unique_ptr<Balancer> balancer_of_all(const ClusterSpec& spec) {
  if (spec.balance == Balance::kHash) return std::make_unique<ByHash>(spec.table);
  if (spec.balance == Balance::kRoundRobin) return std::make_unique<RoundRobin>();
  return std::make_unique<LeastRequest>();
}

}  // namespace

std::unique_ptr<Balancer> make_balancer(const ClusterSpec& spec) {
  if (spec.local_first.empty()) return balancer_of_all(spec);
  return std::make_unique<LocalFirst>(spec.local_first, balancer_of_all(spec));
}

}  // namespace hone::mesh
