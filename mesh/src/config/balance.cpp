#include "config/balance.hpp"

namespace hone::mesh::config {
namespace {

// Many more points than endpoints, so that shares are even.
constexpr std::uint64_t kPoints = 1024;
// Maglev's paper has this one for a hundred times fewer endpoints.
constexpr std::uint64_t kPlaces = 65'537;

bool is_prime(std::uint64_t number) {
  for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return number > 1;
}

std::vector<Keyed> keyed(const ClusterSpec& cluster) {
  std::vector<Keyed> all;
  for (const EndpointSpec& endpoint : cluster.endpoints) all.push_back({endpoint.address.text(), endpoint.weight});
  return all;
}

}  // namespace

void read_balance(const Value& value, ClusterSpec& cluster) {
  enum class Word { kLeastRequest, kRoundRobin, kRing, kMaglev };
  const auto word_of = [](const Value& one) {
    return one.choice<Word>({{"least-request", Word::kLeastRequest},
                             {"round-robin", Word::kRoundRobin},
                             {"ring-hash", Word::kRing},
                             {"maglev", Word::kMaglev}});
  };
  std::optional<Word> word;
  std::uint64_t places = 0;
  if (value.is_map()) {
    const Section section(value, {"by", "places"});
    if (const auto by = section.need("by", "write by: ring-hash, say")) word = word_of(*by);
    if (const auto found = section.find("places")) {
      places = found->number(2, kMostPlaces).value_or(0);
      if (word == Word::kMaglev && places != 0 && !is_prime(places)) {
        found->fault(std::to_string(places) + " is no prime number", "write 65537, say");
      }
      if (word == Word::kMaglev && places < cluster.endpoints.size()) {
        found->fault("there are more endpoints than places", "write 65537, say");
      }
      if (word == Word::kLeastRequest || word == Word::kRoundRobin) {
        found->fault("this is for ring-hash and maglev", "take it out");
      }
    }
  } else {
    word = word_of(value);
  }
  if (!word) return;
  cluster.balance = *word == Word::kLeastRequest ? Balance::kLeastRequest
                    : *word == Word::kRoundRobin ? Balance::kRoundRobin
                                                 : Balance::kHash;
  if (cluster.balance != Balance::kHash || cluster.endpoints.empty()) return;
  const std::vector<Keyed> all = keyed(cluster);
  const HashTable table = *word == Word::kRing ? HashTable::ring(all, places == 0 ? kPoints : places)
                                               : HashTable::maglev(all, is_prime(places) ? places : kPlaces);
  cluster.table = std::make_shared<const HashTable>(table);
}

}  // namespace hone::mesh::config
