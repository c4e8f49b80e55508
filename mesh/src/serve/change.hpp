// The changes that a worker has to make to serve another configuration.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "config/snapshot.hpp"
#include "net/descriptor.hpp"

namespace hone::mesh {

// ClusterChange is a cluster that is new or changed, or gone where there is no specification.
struct ClusterChange {
  std::uint32_t number = 0;
  std::shared_ptr<const ClusterSpec> spec;
};

// ListenerChange is a listener that is new, changed or gone in the same way. Its id is never that of another one.
struct ListenerChange {
  std::uint64_t id = 0;
  std::shared_ptr<const ListenerSpec> spec;
  // For a new listener: one socket for each worker, and perhaps more, which all have to be listened on. The sockets of
  // a Unix listener are one and the same, which its last holder closes.
  std::vector<std::shared_ptr<const Descriptor>> sockets = {};
};

// Change is made by the main thread, and the same for all workers. Things that it does not name stay as they are.
struct Change {
  std::vector<ClusterChange> clusters;
  // Listeners that are gone come first, so that others may take over their sockets.
  std::vector<ListenerChange> listeners;
  // The format of the log; nothing where there is no log.
  std::optional<LogFormat> log;
  bool has_spans = false;
  SharedMemorySpec shared_memory;
  // The largest number of a route.
  std::uint32_t routes = 0;
  // The time for which connections may stay after their listener is gone.
  Duration drain_timeout{};
};

}  // namespace hone::mesh
