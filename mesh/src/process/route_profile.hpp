// CPU time of all workers by route, over some seconds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/names.hpp"
#include "net/parts.hpp"
#include "observe/route_costs.hpp"
#include "process/worker.hpp"

namespace hone::mesh {

// RouteProfile takes one profile at a time. Workers count only while it does.
class RouteProfile {
 public:
  RouteProfile(Loop& loop, const config::Numbers& routes, const std::vector<std::unique_ptr<Worker>>& workers);

  bool is_busy() const { return is_busy_; }
  // Begins a profile, and calls `done` with the table after `seconds`.
  void begin(unsigned seconds, Delegate<void(const std::string&)> done);
  // Ends a profile that nobody waits for any more.
  void stop();

 private:
  void on_time();
  std::vector<RouteCost> costs() const;

  Loop& loop_;
  const config::Numbers& routes_;
  const std::vector<std::unique_ptr<Worker>>& workers_;
  Timer over_;
  Delegate<void(const std::string&)> done_;
  Moment began_;
  std::vector<RouteCost> before_;
  bool is_busy_ = false;
};

}  // namespace hone::mesh
