#include "filter/request_id.hpp"

#include <algorithm>

#include "base/hex.hpp"

namespace hone::mesh {
namespace {

constexpr std::size_t kLongestId = 128;

bool is_sound(std::string_view id) {
  return !id.empty() && id.size() <= kLongestId &&
         std::all_of(id.begin(), id.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

std::string_view random_uuid(Random& random, Arena& arena) {
  constexpr std::uint64_t kVersion = 0x4000;
  constexpr std::uint64_t kVariant = std::uint64_t{0x8} << 60;
  const std::uint64_t high = (random.next() & ~std::uint64_t{0xf000}) | kVersion;
  const std::uint64_t low = (random.next() & ~(std::uint64_t{0xc} << 60)) | kVariant;
  char digits[32];
  write_hex(high, 16, digits);
  write_hex(low, 16, digits + 16);
  const std::string_view all(digits, sizeof digits);
  return arena.join(all.substr(0, 8), "-", all.substr(8, 4), "-", all.substr(12, 4), "-", all.substr(16, 4), "-",
                    all.substr(20));
}

}  // namespace

Verdict RequestId::on_request(Passage& passage) const {
  Headers& headers = passage.request.headers;
  if (const Header* const there = headers.find(HeaderId::kRequestId)) {
    if (rule_.keep && is_sound(there->value)) return Verdict::kNext;
  }
  headers.set(passage.arena, HeaderId::kRequestId, random_uuid(passage.parts.random, passage.arena));
  return Verdict::kNext;
}

void RequestId::on_response(Passage& passage, Head& head) const {
  const Header* const id = passage.request.headers.find(HeaderId::kRequestId);
  if (id != nullptr) head.headers.set(passage.arena, HeaderId::kRequestId, id->value);
}

}  // namespace hone::mesh
