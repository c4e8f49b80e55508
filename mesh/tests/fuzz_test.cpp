// The bodies of the fuzzer over seeds and some damage to them, the same each time. bench/fuzz goes on from there.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "fuzz.hpp"

namespace hone::mesh::testing {
namespace {

std::string damaged(std::string bytes, const std::vector<std::string>& seeds, Random& random) {
  for (std::uint32_t count = random.below(4) + 1; count > 0 && bytes.size() > 1; --count) {
    const std::size_t at = 1 + random.below(static_cast<std::uint32_t>(bytes.size() - 1));
    switch (random.below(5)) {
      case 0:
        bytes[at] = static_cast<char>(random.next());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
      case 2:
        bytes.erase(at, random.below(8) + 1);
        break;
      case 3:
        bytes.insert(at, 1, "\r\n\t :,;\0\xff"[random.below(9)]);
        break;
      default: {
        const std::string& other = seeds[random.below(static_cast<std::uint32_t>(seeds.size()))];
        bytes.insert(at, other.substr(1 + random.below(static_cast<std::uint32_t>(other.size() - 1)), 20));
      }
    }
  }
  return bytes;
}

TEST(Fuzz, SeedsAndDamageDoNoHarm) {
  const std::vector<std::string> seeds = fuzz_seeds();
  for (const std::string& seed : seeds) fuzz(seed);
  Random random(11);
  for (int count = 0; count < 2000; ++count) {
    fuzz(damaged(seeds[random.below(static_cast<std::uint32_t>(seeds.size()))], seeds, random));
  }
}

}  // namespace
}  // namespace hone::mesh::testing
