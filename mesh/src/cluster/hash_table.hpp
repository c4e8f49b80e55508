// Keys of requests and the endpoints that they belong to: two ways by which few keys move when endpoints come or go.
//
// A table is made once for a cluster and shared by all workers. It knows nothing of health: where a key's endpoint is
// down, the key goes to the next one in the table that is up, and only such keys move.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hone::mesh {

// Keyed is an endpoint with the name and the weight that its places in a table are made from.
struct Keyed {
  std::string name;
  std::uint32_t weight = 1;
};

// HashTable is a circle of endpoints, on which each key has its place.
class HashTable {
 public:
  // Makes a ring with at least `points` points, dealt out by weight, at least one to each endpoint (Karger et al.,
  // 1997).
  static HashTable ring(std::span<const Keyed> endpoints, std::size_t points);
  // Makes a table of a prime size in which each endpoint has its share nearly exactly, as long as there are many more
  // places than endpoints (Maglev: Eisenbud et al., 2016).
  static HashTable maglev(std::span<const Keyed> endpoints, std::size_t size);

  bool operator==(const HashTable&) const = default;

  // Returns the place of a key.
  std::size_t place_of(std::uint64_t key) const;
  // Returns the endpoint at a place.
  std::uint32_t owner_of(std::size_t place) const { return owners_[place]; }
  std::size_t size() const { return owners_.size(); }

 private:
  // Points of a ring, from the least up; none for Maglev.
  std::vector<std::uint64_t> points_;
  std::vector<std::uint32_t> owners_;
};

// The most places that a table may have.
inline constexpr std::size_t kMostPlaces = 1 << 23;

}  // namespace hone::mesh
