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

// What /ready says where it is so.
inline constexpr std::string_view kReady = "ready";

// AdminPages makes what the pages say.
struct AdminPages {
  Delegate<std::string()> metrics;
  Delegate<std::string()> clusters;
  Delegate<std::string()> listeners;
  Delegate<std::string()> config;
  // Returns kReady, or why the process is not ready.
  Delegate<std::string_view()> state;
  // Reads the configuration again. Returns what is wrong with it; nothing where it is in force now.
  Delegate<std::string()> reload;
  // Begins to start another process that takes over. Returns why that is not possible.
  Delegate<std::string()> restart;
  // Begins to end the process.
  Delegate<void()> drain;
};

// Admin answers GET for its pages, POST /reload, /restart and /drain. Pages of browsers get nothing, wherever they come
// from: whoever looks at one has not asked for what it does.
class Admin {
 public:
  Admin(Parts parts, AdminPages pages, RouteProfile& routes);
  ~Admin();

  // Takes connections from another socket, or from none. Those that are open stay.
  void listen(Descriptor listening);
  // Takes no connections, and takes them again.
  void pause();
  void resume();
  int descriptor() const { return listening_.get(); }

 private:
  class Connection;

  void on_ready(Ready);
  // Keeps some descriptors back, so that an operator finds one when clients have taken all others.
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
