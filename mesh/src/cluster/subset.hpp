// Subsets: which endpoints of other places the requests of a place go to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hone::mesh::local_first {

// Target is an endpoint with what is to come to it from other places, as shares of all requests.
struct Target {
  std::string_view id;
  std::string_view place;
  double fair = 0;
  double remote = 0;
  // Evens out what subsets leave uneven.
  double correction = 1;

  // Returns how often subsets draw the endpoint, from 0 to 1: less often where little of its fair share comes from
  // elsewhere, so that nothing jumps where that shrinks to nothing.
  double want() const;
};

// Drawn is an endpoint of a subset, with its weight before the correction.
struct Drawn {
  std::size_t target = 0;
  // The lower, the likelier the endpoint is in subsets.
  double score = 0;
  double weight = 0;
};

// Lot draws subsets by weighted rendezvous hashing, so that an endpoint that comes or leaves moves few others.
class Lot {
 public:
  explicit Lot(std::span<const Target> targets);

  // Draws so many endpoints for a place. Between two whole sizes the weight of the last one fades.
  std::vector<Drawn> draw(std::string_view place, double size) const;

 private:
  std::vector<Drawn> all() const;
  std::vector<Drawn> likeliest(std::uint64_t seed, std::size_t count) const;

  std::span<const Target> targets_;
  std::vector<std::uint64_t> hashes_;
};

// Returns the size of a subset: the bound, or more where a large part of the requests to other places is its own, given
// as so many endpoints that are drawn as often as any.
double subset_size(std::size_t bound, std::size_t all, double wants);

}  // namespace hone::mesh::local_first
