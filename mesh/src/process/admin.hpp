// The pages of the operator, on a listener of their own in the main thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/graveyard.hpp"
#include "net/parts.hpp"
#include "net/socket.hpp"
#include "process/profiler.hpp"
#include "process/route_profile.hpp"
#include "wire/http1/server.hpp"

namespace hone::mesh {

// The answer of /ready while the process is ready.
inline constexpr std::string_view kReady = "ready";

// AdminPages holds the functions behind the pages.
struct AdminPages {
  Delegate<std::string()> metrics;
  Delegate<std::string()> clusters;
  Delegate<std::string()> listeners;
  Delegate<std::string()> config;
  // Returns kReady, or the reason why the process is not ready.
  Delegate<std::string_view()> state;
  // Reads the configuration again. Returns its faults; empty where it is in force now.
  Delegate<std::string()> reload;
  // Begins to start another process that takes over. Returns the reason why this is not possible; empty where it has
  // begun.
  Delegate<std::string()> restart;
  // Begins to end the process.
  Delegate<void()> drain;
};

// Admin answers GET for its pages, and POST for /reload, /restart and /drain. It refuses requests of pages in browsers,
// wherever the page comes from: the user who looks at a page did not ask for its requests.
class Admin {
 public:
  Admin(Parts parts, AdminPages pages, RouteProfile& routes);
  ~Admin();

  // Takes connections from another socket, or from none. Open connections stay.
  void listen(Descriptor listening);
  // pause stops taking connections, and resume takes them again.
  void pause();
  void resume();
  int descriptor() const { return listening_.get(); }

 private:
  class Connection;

  void on_ready(Ready);
  // Holds some descriptors in reserve, so that an operator finds one when clients have taken all others.
  void keep_spare();
  void ended(Connection& connection);

  Parts parts_;
  Descriptor listening_;
  std::vector<Descriptor> spare_;
  AdminPages pages_;
  Profiler profiler_;
  RouteProfile& routes_;
  http1::ServerLimits limits_;
  std::optional<Watch> watch_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Graveyard<Connection> graveyard_;
};

}  // namespace hone::mesh
