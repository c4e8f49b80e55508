#pragma once

#include <cstdint>

namespace mesh {

/// SplitMix64: tiny, seeded, the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  /// Uniform in [0, bound), for a bound that is small against 2^32.
  uint64_t below(uint64_t bound) { return (next() >> 32) * bound >> 32; }

  /// Uniform in [low, high].
  uint64_t between(uint64_t low, uint64_t high) { return low + below(high - low + 1); }

 private:
  uint64_t state_;
};

}  // namespace mesh
