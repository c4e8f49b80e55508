#include "process/route_profile.hpp"

namespace hone::mesh {

RouteProfile::RouteProfile(Loop& loop, std::span<const std::string> names,
                           const std::vector<std::unique_ptr<Worker>>& workers)
    : loop_(loop), names_(names), workers_(workers), over_(Delegate<void()>::of<&RouteProfile::on_time>(*this)) {}

void RouteProfile::begin(unsigned seconds, Delegate<void(const std::string&)> done) {
  is_busy_ = true;
  done_ = done;
  before_ = costs();
  began_ = loop_.now();
  for (const auto& worker : workers_) worker->meter().want(true);
  loop_.set(over_, began_ + std::chrono::seconds(seconds));
}

void RouteProfile::stop() {
  if (!std::exchange(is_busy_, false)) return;
  over_.cancel();
  for (const auto& worker : workers_) worker->meter().want(false);
}

void RouteProfile::on_time() {
  stop();
  std::vector<RouteCost> cost = costs();
  for (std::size_t at = 0; at < cost.size(); ++at) {
    cost[at].ns -= before_[at].ns;
    cost[at].requests -= before_[at].requests;
  }
  const std::chrono::duration<double> took = loop_.now() - began_;
  done_(route_costs(cost, names_, took.count()));
}

// Returns what the workers have counted since they began.
std::vector<RouteCost> RouteProfile::costs() const {
  std::vector<RouteCost> sums(names_.size() + 1);
  for (const auto& worker : workers_) {
    const auto& costs = worker->meter().costs();
    for (std::size_t at = 0; at < sums.size(); ++at) {
      sums[at].ns += costs[at].ns.read();
      sums[at].requests += costs[at].requests.read();
    }
  }
  return sums;
}

}  // namespace hone::mesh
