#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mesh {

uint64_t fnv1a(std::string_view bytes);

struct SipKey {
  uint64_t k0 = 0;
  uint64_t k1 = 0;

  /// Stretches a configured secret of any length into a key.
  static SipKey fromSecret(std::string_view secret);
};

/// SipHash-2-4. Good enough to tell forged tokens from real ones here; a 64-bit tag is too short
/// for tokens on a real network.
uint64_t sipHash(const SipKey& key, std::string_view bytes);

struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return fnv1a(text); }
};

/// Order-sensitive sum over everything that a run put out, so that two builds can be compared.
class Digest {
 public:
  void add(std::string_view bytes);
  void add(uint64_t value);
  uint64_t value() const;

 private:
  // Four lanes, so that the sum costs little beside the work whose output it covers.
  uint64_t lanes_[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb,
                        0xff51afd7ed558ccd};
};

}  // namespace mesh
