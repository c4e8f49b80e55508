#include "cluster/hash_table.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/hash.hpp"

namespace hone::mesh {
namespace {

constexpr std::uint64_t kStepSeed = 1;

std::uint64_t total_weight(std::span<const Keyed> endpoints) {
  return std::accumulate(endpoints.begin(), endpoints.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Keyed& endpoint) { return sum + endpoint.weight; });
}

}  // namespace

HashTable HashTable::ring(std::span<const Keyed> endpoints, std::size_t points) {
  const std::uint64_t total = total_weight(endpoints);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
  for (std::uint32_t at = 0; at < endpoints.size(); ++at) {
    const std::uint64_t share = (points * endpoints[at].weight + total - 1) / total;
    for (std::uint64_t point = 0; point < share; ++point) {
      all.emplace_back(hash_of(endpoints[at].name, point), at);
    }
  }
  std::sort(all.begin(), all.end());
  HashTable table;
  for (const auto& [point, owner] : all) {
    table.points_.push_back(point);
    table.owners_.push_back(owner);
  }
  return table;
}

HashTable HashTable::maglev(std::span<const Keyed> endpoints, std::size_t size) {
  // Each endpoint takes places in an order of its own, one for each turn that its weight gives it, while places are
  // free.
  struct Turn {
    std::uint64_t next = 0;
    std::uint64_t step = 1;
    std::uint64_t credit = 0;
  };
  std::vector<Turn> turns;
  std::uint64_t heaviest = 0;
  for (const Keyed& endpoint : endpoints) {
    turns.push_back({hash_of(endpoint.name) % size, hash_of(endpoint.name, kStepSeed) % (size - 1) + 1, 0});
    heaviest = std::max<std::uint64_t>(heaviest, endpoint.weight);
  }
  constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  HashTable table;
  table.owners_.assign(size, kFree);
  for (std::size_t taken = 0; taken < size;) {
    for (std::uint32_t at = 0; at < turns.size() && taken < size; ++at) {
      Turn& turn = turns[at];
      turn.credit += endpoints[at].weight;
      if (turn.credit < heaviest) continue;
      turn.credit -= heaviest;
      while (table.owners_[turn.next] != kFree) turn.next = (turn.next + turn.step) % size;
      table.owners_[turn.next] = at;
      ++taken;
    }
  }
  return table;
}

std::size_t HashTable::place_of(std::uint64_t key) const {
  if (points_.empty()) return key % owners_.size();
  const auto point = std::lower_bound(points_.begin(), points_.end(), key);
  return point == points_.end() ? 0 : static_cast<std::size_t>(point - points_.begin());
}

}  // namespace hone::mesh
