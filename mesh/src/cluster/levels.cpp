#include "cluster/levels.hpp"

#include <algorithm>
#include <numeric>

namespace hone::mesh {
namespace {

constexpr std::uint32_t kOverprovisioned_percent = 140;

std::uint32_t taken_by(const LevelHealth& level) {
  if (level.endpoints == 0) return 0;
  return std::min(100u, level.up * kOverprovisioned_percent / level.endpoints);
}

}  // namespace

LevelShares share_out(std::span<const LevelHealth> levels) {
  LevelShares shares;
  for (const LevelHealth& level : levels) shares.percent.push_back(taken_by(level));
  const std::uint32_t total = std::accumulate(shares.percent.begin(), shares.percent.end(), 0u);
  shares.can_take_all = total >= 100;
  std::uint32_t left = 100;
  for (std::uint32_t& percent : shares.percent) {
    percent = shares.can_take_all ? std::min(left, percent) : total == 0 ? 0 : percent * 100 / total;
    left -= percent;
  }
  return shares;
}

}  // namespace hone::mesh
