#include "core/hash.h"

#include <cstring>

namespace mesh {

namespace {

constexpr uint64_t rotateLeft(uint64_t value, int by) {
  return value << by | value >> (64 - by);
}

struct SipState {
  uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v1 = rotateLeft(v1, 13) ^ v0;
    v0 = rotateLeft(v0, 32);
    v2 += v3;
    v3 = rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = rotateLeft(v1, 17) ^ v2;
    v2 = rotateLeft(v2, 32);
  }
};

uint64_t mixIn(uint64_t state, uint64_t value) {
  return rotateLeft((state ^ value) * 0xff51afd7ed558ccd, 29);
}

uint64_t loadUpTo8(const char* data, size_t size) {
  uint64_t word = 0;
  std::memcpy(&word, data, size);
  return word;
}

}  // namespace

uint64_t fnv1a(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

SipKey SipKey::fromSecret(std::string_view secret) {
  const SipKey seed{0x6d657368, 0x66696c74};
  SipKey key;
  key.k0 = sipHash(seed, secret);
  key.k1 = sipHash(SipKey{key.k0, seed.k1}, secret);
  return key;
}

uint64_t sipHash(const SipKey& key, std::string_view bytes) {
  SipState s{key.k0 ^ 0x736f6d6570736575, key.k1 ^ 0x646f72616e646f6d, key.k0 ^ 0x6c7967656e657261,
             key.k1 ^ 0x7465646279746573};
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    const uint64_t word = loadUpTo8(bytes.data() + at, 8);
    s.v3 ^= word;
    s.round();
    s.round();
    s.v0 ^= word;
  }
  const uint64_t last =
      loadUpTo8(bytes.data() + at, bytes.size() - at) | static_cast<uint64_t>(bytes.size()) << 56;
  s.v3 ^= last;
  s.round();
  s.round();
  s.v0 ^= last;
  s.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) s.round();
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

void Digest::add(std::string_view bytes) {
  size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32) {
    for (size_t lane = 0; lane < 4; ++lane) {
      lanes_[lane] = mixIn(lanes_[lane], loadUpTo8(bytes.data() + at + 8 * lane, 8));
    }
  }
  for (; at + 8 <= bytes.size(); at += 8) add(loadUpTo8(bytes.data() + at, 8));
  add(loadUpTo8(bytes.data() + at, bytes.size() - at) ^ static_cast<uint64_t>(bytes.size()) << 56);
}

void Digest::add(uint64_t value) {
  lanes_[0] = mixIn(lanes_[0], value);
}

uint64_t Digest::value() const {
  uint64_t sum = 0;
  for (const uint64_t lane : lanes_) sum = mixIn(sum, lane);
  return sum;
}

}  // namespace mesh
