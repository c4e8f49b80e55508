// How many of a cluster's requests each level of its endpoints gets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hone::mesh {

// The highest level there may be, and what stands for all of them.
inline constexpr std::uint32_t kHighestLevel = 15;
inline constexpr std::uint32_t kAnyLevel = kHighestLevel + 1;

// LevelHealth is how many endpoints a level has, and how many of them are up.
struct LevelHealth {
  std::uint32_t endpoints = 0;
  std::uint32_t up = 0;
};

// LevelShares are percentages that add up to 100, or to nearly that; none where no endpoint is up.
struct LevelShares {
  std::vector<std::uint32_t> percent;
  // True if the levels together can take all requests.
  bool can_take_all = false;
};

// Returns each level's share, by Envoy's rule: a level takes what it can, which is all while 1 / 1.4 of its endpoints
// are up, and less in proportion; the next one gets the rest. Where all of them together cannot take all, each gets its
// part.
LevelShares share_out(std::span<const LevelHealth> levels);

}  // namespace hone::mesh
