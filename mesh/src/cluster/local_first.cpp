#include "cluster/local_first.hpp"

#include <algorithm>
#include <map>

#include "cluster/subset.hpp"

namespace hone::mesh::local_first {
namespace {

// The number of rounds of proportional fitting. Each leaves about a quarter of the imbalance of the one before.
constexpr int kRounds = 16;
// The largest correction of an endpoint that hardly any subset has drawn.
constexpr double kMostCorrection = 64;

// Place has callers, endpoints or both. Rates, fair shares and loads are shares of all requests.
struct Place {
  double rate = 0;
  double fair = 0;
  double load = 0;
  bool has_callers = false;

  // Returns the share of the place's own requests that stays.
  double local() const {
    if (rate > load) return load / rate;
    return fair > 0 ? 1 : 0;
  }
  // The share of requests that goes to other places, and the share that comes from them.
  double surplus() const { return std::max(rate - load, 0.0); }
  double demand() const { return std::max(load - rate, 0.0); }
};

// Places in the order of their names.
using Places = std::map<std::string_view, Place>;

// Gap is the distance between the rate of a place's own callers and its fair share, on one side of that share.
struct Gap {
  double room;
  double fair;
};

// Returns the share that goes into the gaps where each takes up to `level` times its fair share.
double filled(const std::vector<Gap>& gaps, double level) {
  double total = 0;
  for (const Gap& gap : gaps) total += std::min(std::max(gap.room, 0.0), level * gap.fair);
  return total;
}

// Returns the least level at which `amount` goes into the gaps, and at most the tolerance.
double level_of(std::vector<Gap> gaps, double amount, double tolerance) {
  std::erase_if(gaps, [](const Gap& gap) { return gap.room <= 0; });
  std::sort(gaps.begin(), gaps.end(),
            [](const Gap& left, const Gap& right) { return left.room / left.fair < right.room / right.fair; });
  double fair = 0;
  for (const Gap& gap : gaps) fair += gap.fair;
  // Gaps are filled up one after the other, those that are narrow in relation to their fair share first.
  double full = 0;
  for (const Gap& gap : gaps) {
    // The rests of amount and fair are rounded: a gap that is full stays full.
    if (const double level = amount / fair; level <= gap.room / gap.fair) {
      return std::min(std::max(level, full), tolerance);
    }
    full = gap.room / gap.fair;
    amount -= gap.room;
    fair -= gap.fair;
  }
  return tolerance;
}

// Sets the loads, which differ from fair shares as far as the tolerance and the sum of loads allow.
void level(Places& places, double tolerance) {
  std::vector<Gap> above;
  std::vector<Gap> below;
  for (const auto& [name, place] : places) {
    if (place.fair <= 0) continue;
    above.push_back({place.rate - place.fair, place.fair});
    below.push_back({place.fair - place.rate, place.fair});
  }
  const double moved = std::min(filled(above, tolerance), filled(below, tolerance));
  const double over = level_of(std::move(above), moved, tolerance);
  const double under = level_of(std::move(below), moved, tolerance);
  for (auto& [name, place] : places) {
    place.load = std::min(std::max(place.rate, (1 - under) * place.fair), (1 + over) * place.fair);
  }
}

// Plan holds the shares of requests that go from and to each place.
struct Plan {
  Places places;
  std::vector<Target> targets;
  std::size_t subset;
  double surplus = 0;
  double wanted = 0;

  Plan(std::span<const Callee> callees, std::span<const Caller> callers, const Options& options)
      : subset(options.subset) {
    double capacity = 0;
    double rate = 0;
    for (const Callee& callee : callees) capacity += callee.capacity;
    for (const Caller& caller : callers) rate += caller.rate;
    for (const Callee& callee : callees) places[callee.place].fair += callee.capacity / capacity;
    for (const Caller& caller : callers) {
      Place& place = places[caller.place];
      place.has_callers = true;
      place.rate += caller.rate / rate;
    }
    level(places, options.tolerance);
    for (const Callee& callee : callees) {
      const Place& place = places[callee.place];
      Target& target = targets.emplace_back(Target{callee.id, callee.place, callee.capacity / capacity});
      if (place.fair > 0) target.remote = place.demand() * target.fair / place.fair;
      wanted += target.want();
    }
    for (const auto& [name, place] : places) surplus += place.surplus();
    if (subset > 0) even_out();
  }

  // Returns the number of endpoints of other places that the requests of `place` go to.
  double subset_of(const Place& place) const {
    const double part = surplus == 0 ? 0 : place.surplus() / surplus;
    return subset_size(subset, targets.size(), wanted * part);
  }

  // Finds the corrections by which each endpoint gets the share that is to come to it.
  void even_out() {
    const Lot lot(targets);
    std::vector<std::pair<double, std::vector<Drawn>>> subsets;
    for (const auto& [name, place] : places) {
      if (place.surplus() > 0) subsets.emplace_back(place.surplus(), lot.draw(name, subset_of(place)));
    }
    for (int round = 0; round < kRounds; ++round) {
      std::vector<double> received(targets.size());
      for (const auto& [sent, drawn] : subsets) send(sent, drawn, received);
      for (std::size_t at = 0; at < targets.size(); ++at) {
        Target& target = targets[at];
        if (received[at] <= 0) continue;
        target.correction = std::min(target.correction * target.remote / received[at], kMostCorrection);
      }
    }
  }

  // Adds `requests` to the endpoints of a subset in `received`, in proportion to their weights. Returns false where no
  // endpoint has a weight.
  bool send(double requests, const std::vector<Drawn>& drawn, std::vector<double>& received) const {
    double total = 0;
    for (const Drawn& one : drawn) total += one.weight * targets[one.target].correction;
    if (total == 0) return false;
    for (const Drawn& one : drawn) {
      received[one.target] += requests * one.weight * targets[one.target].correction / total;
    }
    return true;
  }
};

}  // namespace

std::vector<double> weights(std::span<const Callee> callees, std::span<const Caller> callers, std::string_view place,
                            const Options& options) {
  const Plan plan(callees, callers, options);
  const auto found = plan.places.find(place);
  const bool has_callers = found != plan.places.end() && found->second.has_callers;
  const double fair = found != plan.places.end() ? found->second.fair : 0;
  const double local = has_callers && fair > 0 ? found->second.local() : 0;
  std::vector<double> row(callees.size());
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (local > 0 && callees[at].place == place) row[at] = local * plan.targets[at].fair / fair;
  }
  if (local >= 1) return row;
  const double size = has_callers ? plan.subset_of(found->second) : static_cast<double>(callees.size());
  if (!plan.send(1 - local, Lot(plan.targets).draw(place, size), row)) {
    // The requests of all known callers stay local, but this caller is not known.
    for (std::size_t at = 0; at < row.size(); ++at) row[at] += (1 - local) * plan.targets[at].fair;
  }
  return row;
}

}  // namespace hone::mesh::local_first
