// The shares of a cluster's requests that the levels of its endpoints get.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hone::mesh {

// The highest level that there may be, and the number that stands for all levels.
inline constexpr std::uint32_t kHighestLevel = 15;
inline constexpr std::uint32_t kAnyLevel = kHighestLevel + 1;

// LevelHealth is the number of endpoints of a level, and the number of those that are up.
struct LevelHealth {
  std::uint32_t endpoints = 0;
  std::uint32_t up = 0;
};

// LevelShares are percentages by level that add up to 100, or to nearly that; all are zero where no endpoint is up.
struct LevelShares {
  std::vector<std::uint32_t> percent;
  // True if the levels together can take all requests.
  bool can_take_all = false;
};

// Returns each level's share, by Envoy's rule: a level takes all requests while 1 / 1.4 of its endpoints are up, and
// less in proportion; the next level gets the rest. Where all levels together cannot take all requests, each gets its
// part.
LevelShares share_out(std::span<const LevelHealth> levels);

}  // namespace hone::mesh
