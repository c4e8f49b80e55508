// Subsets: the endpoints of other places that the requests of a place go to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hone::mesh::local_first {

// Target is an endpoint with its fair share, and the share that is to come to it from other places, both of all
// requests.
struct Target {
  std::string_view id;
  std::string_view place;
  double fair = 0;
  double remote = 0;
  // The factor that evens out the differences that subsets leave.
  double correction = 1;

  // Returns the frequency with which subsets draw the endpoint, from 0 to 1: lower where little of its fair share comes
  // from other places, so that no weight jumps where that part shrinks to nothing.
  double want() const;
};

// Drawn is an endpoint of a subset, with its weight before the correction.
struct Drawn {
  std::size_t target = 0;
  // The lower the score, the likelier the endpoint is in subsets.
  double score = 0;
  double weight = 0;
};

// Lot draws subsets by weighted rendezvous hashing, so that an endpoint that comes or leaves moves few others.
class Lot {
 public:
  explicit Lot(std::span<const Target> targets);

  // Draws `size` endpoints for a place. Between two whole sizes the weight of the last endpoint fades.
  std::vector<Drawn> draw(std::string_view place, double size) const;

 private:
  std::vector<Drawn> all() const;
  std::vector<Drawn> likeliest(std::uint64_t seed, std::size_t count) const;

  std::span<const Target> targets_;
  std::vector<std::uint64_t> hashes_;
};

// Returns the size of a subset: the bound, or more where a large part of the requests to other places is the subset's
// own. `wants` is that part, as a number of endpoints that are drawn as often as any.
double subset_size(std::size_t bound, std::size_t all, double wants);

}  // namespace hone::mesh::local_first
