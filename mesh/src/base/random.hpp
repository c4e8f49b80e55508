// Random numbers for choices among equals, such as endpoints and waits between retries. None of them is a secret.
#pragma once

#include <cstdint>

#include "base/hash.hpp"

namespace hone::mesh {

// Random is SplitMix64 (Steele, Lea and Flood, 2014): one addition and three mixes a number.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15); }

  // Returns a number below the limit, which is positive and far below 2^32, so that no number is noticeably likelier.
  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{limit}) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace hone::mesh
