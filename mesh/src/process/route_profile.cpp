#include "process/route_profile.hpp"

namespace hone::mesh {

RouteProfile::RouteProfile(Loop& loop, const config::Numbers& routes,
                           const std::vector<std::unique_ptr<Worker>>& workers)
    : loop_(loop), routes_(routes), workers_(workers), over_(Delegate<void()>::of<&RouteProfile::on_time>(*this)) {}

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
  // Routes may have come meanwhile.
  before_.resize(cost.size());
  std::vector<std::string> names;
  for (std::uint32_t number = 0; number < routes_.size(); ++number) names.push_back(routes_.name_of(number));
  for (std::size_t at = 0; at < cost.size(); ++at) {
    cost[at].ns -= before_[at].ns;
    cost[at].requests -= before_[at].requests;
  }
  const std::chrono::duration<double> took = loop_.now() - began_;
  done_(route_costs(cost, names, took.count()));
}

// Returns the costs that all workers have counted since they began.
std::vector<RouteCost> RouteProfile::costs() const {
  std::vector<RouteCost> sums(routes_.size() + 1);
  for (const auto& worker : workers_) {
    for (Payer payer = kNobody; payer < sums.size(); ++payer) {
      const CpuMeter::Cost* const cost = worker->meter().cost_of(payer);
      if (cost == nullptr) continue;
      sums[payer].ns += cost->ns.read();
      sums[payer].requests += cost->requests.read();
    }
  }
  return sums;
}

}  // namespace hone::mesh
