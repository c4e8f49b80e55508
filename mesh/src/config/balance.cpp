#include "config/balance.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "cluster/local_first.hpp"

namespace hone::mesh::config {
namespace {

// Many more points than endpoints, so that shares are even.
constexpr std::uint64_t kPoints = 1024;
// Maglev's paper has this number of places for a hundred times fewer endpoints.
constexpr std::uint64_t kPlaces = 65'537;

// The sum of the weights that keep requests local: small enough for Random, and large enough for small weights.
constexpr double kWhole = 1 << 30;

bool is_prime(std::uint64_t number) {
  for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return number > 1;
}

std::vector<local_first::Caller> read_callers(const Value& value) {
  std::vector<local_first::Caller> callers;
  double all = 0;
  for (const auto& [place, rate] : value.entries()) {
    callers.push_back({place, rate.real(0, 1e9).value_or(1)});
    all += callers.back().rate;
  }
  if (all > 0) return callers;
  value.fault("no place calls", "write places with rates, such as {a: 2, b: 1}");
  return {};
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
  if (cluster.balance != Balance::kHash) return;
  if (*word == Word::kRing) cluster.table_rule = {.is_maglev = false, .places = places == 0 ? kPoints : places};
  if (*word == Word::kMaglev) cluster.table_rule = {.is_maglev = true, .places = is_prime(places) ? places : kPlaces};
  make_table(cluster);
}

void make_table(ClusterSpec& cluster) {
  if (cluster.balance != Balance::kHash || cluster.endpoints.empty()) return;
  const std::vector<Keyed> all = keyed(cluster);
  const auto [is_maglev, places] = cluster.table_rule;
  cluster.table =
      std::make_shared<const HashTable>(is_maglev ? HashTable::maglev(all, places) : HashTable::ring(all, places));
}

void read_local_first(const Value& value, ClusterSpec& cluster) {
  const Section section(value, {"place", "callers", "tolerance", "subset"});
  if (cluster.balance == Balance::kHash) value.fault("balance chooses the endpoint already", "take one of them out");
  std::string place;
  const auto own = section.need("place", "write place: and the machine or zone of this process");
  section.set("place", place, kText);
  std::vector<local_first::Callee> callees;
  std::set<std::string> places;
  for (const EndpointSpec& one : cluster.endpoints) {
    const std::string id = one.address.text();
    // Without a place, an endpoint has one of its own.
    callees.push_back({id, one.place.empty() ? "alone: " + id : one.place, static_cast<double>(one.weight)});
    places.insert(one.place);
  }
  places.erase("");
  if (places.empty()) value.fault("no endpoint has a place", "write endpoints as {address: ..., place: ...}");
  std::vector<local_first::Caller> callers;
  const auto given = section.find("callers");
  if (given) {
    callers = read_callers(*given);
  } else {
    for (const std::string& one : places) callers.push_back({one, 1});
  }
  const auto is_own = [&](const local_first::Caller& caller) { return caller.place == place; };
  if (own && !callers.empty() && std::none_of(callers.begin(), callers.end(), is_own)) {
    own->fault("\"" + place + "\" is not among the places that call", "write how much it does, below callers:");
  }
  local_first::Options options;
  section.set("tolerance", options.tolerance, [](const Value& one) -> std::optional<double> {
    const auto percent = one.real(0, 99);
    return percent ? std::optional(*percent / 100) : std::nullopt;
  });
  section.set("subset", options.subset, [](const Value& one) { return one.number(1, 1000); });
  if (callees.empty() || callers.empty()) return;
  double sum = 0;
  for (const double weight : local_first::weights(callees, callers, place, options)) {
    sum += weight;
    cluster.local_first.push_back(static_cast<std::uint32_t>(std::lround(sum * kWhole)));
  }
}

}  // namespace hone::mesh::config
