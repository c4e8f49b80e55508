// The page of the operator: metrics, readiness and endpoints, on a listener of its own in the main thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "event/graveyard.hpp"
#include "net/parts.hpp"
#include "net/socket.hpp"
#include "wire/http1/server.hpp"

namespace hone::mesh {

// AdminPages makes what the pages say.
struct AdminPages {
  Delegate<std::string()> metrics;
  Delegate<bool()> is_ready;
};

// Admin answers GET /metrics and GET /ready.
class Admin {
 public:
  Admin(Parts parts, Descriptor listening, AdminPages pages);
  ~Admin();

 private:
  class Connection;

  void on_ready(Ready);
  void ended(Connection& connection);

  Parts parts_;
  Descriptor listening_;
  AdminPages pages_;
  http1::ServerLimits limits_;
  Watch watch_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Graveyard<Connection> graveyard_;
};

}  // namespace hone::mesh
