#include "cluster/subset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::mesh::local_first {
namespace {

// The mean number of subsets that draw an endpoint, where subsets are no larger than they must be.
constexpr double kReach = 16;
// The rest of a weight at the border that is left by rounding.
constexpr double kRounding = 1e-12;
// An endpoint is drawn as often as any other if at least this part of its fair share comes from other places.
constexpr double kSmallPart = 0.1;

// FNV-1a, which other languages have too.
std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

// Returns the first number of PCG-DXSM (O'Neill, 2019) with 128 bits of state, as Go's rand.NewPCG does.
std::uint64_t pcg(std::uint64_t high, std::uint64_t low) {
  __extension__ typedef unsigned __int128 Wide;
  constexpr Wide kFactor = Wide{2549297995355413924} << 64 | 4865540595714422341;
  constexpr Wide kStep = Wide{6364136223846793005} << 64 | 1442695040888963407;
  const Wide state = (Wide{high} << 64 | low) * kFactor + kStep;
  std::uint64_t mixed = static_cast<std::uint64_t>(state >> 64);
  mixed ^= mixed >> 32;
  mixed *= 0xda942042e4dd58b5;
  mixed ^= mixed >> 48;
  return mixed * (static_cast<std::uint64_t>(state) | 1);
}

// Makes an exponentially distributed number from two hashes. It is never zero.
double exponential(std::uint64_t left, std::uint64_t right) {
  constexpr double kWhole = 1ULL << 52;
  return -std::log((static_cast<double>(pcg(left, right) >> 12) + 0.5) / kWhole);
}

// Returns the mean of max(0, 1 - x / border) for an exponentially distributed x.
double mean_fading(double border) {
  return border < 1e-5 ? border / 2 : 1 + std::expm1(-border) / border;
}

// Keeps the `count` endpoints with the least scores, in their order.
void cut(std::vector<Drawn>& all, std::size_t count) {
  std::sort(all.begin(), all.end(), [](const Drawn& left, const Drawn& right) { return left.score < right.score; });
  if (all.size() > count) all.resize(count);
}

}  // namespace

double Target::want() const {
  return remote == 0 ? 0 : std::min(remote / (kSmallPart * fair), 1.0);
}

double subset_size(std::size_t bound, std::size_t all, double wants) {
  if (bound == 0) return static_cast<double>(all);
  return std::min(std::max(static_cast<double>(bound), kReach * wants), static_cast<double>(all));
}

Lot::Lot(std::span<const Target> targets) : targets_(targets) {
  for (const Target& target : targets) hashes_.push_back(fnv1a(target.id));
}

std::vector<Drawn> Lot::draw(std::string_view place, double size) const {
  const auto whole = static_cast<std::size_t>(size);
  if (whole >= targets_.size()) return all();
  std::vector<Drawn> found = likeliest(fnv1a(place), whole + 2);
  if (whole >= found.size()) return all();
  // The border is 1 divided by a score. Between two sizes it moves from one score to the next.
  const double fraction = size - static_cast<double>(whole);
  double border = (1 - fraction) / found[whole].score;
  if (whole + 1 < found.size()) border += fraction / found[whole + 1].score;
  for (std::size_t at = 0; at < found.size(); ++at) {
    const double fading = 1 - found[at].score * border;
    if (fading < kRounding) {
      found.resize(at);
      break;
    }
    const Target& target = targets_[found[at].target];
    found[at].weight = target.remote * fading / mean_fading(target.want() / border);
  }
  return found;
}

std::vector<Drawn> Lot::all() const {
  std::vector<Drawn> found;
  for (std::size_t at = 0; at < targets_.size(); ++at) {
    if (targets_[at].remote > 0) found.push_back({.target = at, .weight = targets_[at].remote});
  }
  return found;
}

std::vector<Drawn> Lot::likeliest(std::uint64_t seed, std::size_t count) const {
  count = std::min(count, targets_.size());
  std::vector<Drawn> found;
  double bound = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < targets_.size(); ++at) {
    const double want = targets_[at].want();
    if (want == 0) continue;
    const double score = exponential(seed, hashes_[at]) / want;
    if (score >= bound) continue;
    found.push_back({.target = at, .score = score});
    if (found.size() > 2 * count) {
      cut(found, count);
      bound = found.back().score;
    }
  }
  cut(found, count);
  return found;
}

}  // namespace hone::mesh::local_first
