// A hash of texts that is the same in every process, so that all of them send a key to the same endpoint.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace hone::mesh {

// Returns the number with its bits mixed, as SplitMix64 does (Steele, Lea and Flood, 2014): no two numbers become one.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// Returns the hash of a text, eight bytes at a time. It is no secret: whoever may choose a key may choose its hash.
inline std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
  std::uint64_t hash = mixed(seed + kGolden) ^ text.size();
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = text.size() < sizeof word ? text.size() : sizeof word;
    std::memcpy(&word, text.data(), size);
    hash = mixed((hash ^ word) + kGolden);
    text.remove_prefix(size);
  }
  return hash;
}

}  // namespace hone::mesh
