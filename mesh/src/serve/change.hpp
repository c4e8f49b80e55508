// What a worker has to change so that it serves another configuration.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "config/snapshot.hpp"
#include "net/descriptor.hpp"

namespace hone::mesh {

// ClusterChange is a cluster that is new or another one, or gone where there is no specification.
struct ClusterChange {
  std::uint32_t number = 0;
  std::shared_ptr<const ClusterSpec> spec;
};

// ListenerChange is the same of a listener. Its id is never another one's.
struct ListenerChange {
  std::uint64_t id = 0;
  std::shared_ptr<const ListenerSpec> spec;
  // Of a new one: one for each worker, and perhaps more, which all have to be listened on. Those of Unix listeners are
  // the same, and closed by the last one.
  std::vector<std::shared_ptr<const Descriptor>> sockets = {};
};

// Change is made by the main thread, and the same for all workers. What it does not name stays as it is.
struct Change {
  std::vector<ClusterChange> clusters;
  // Those that are gone come first, so that others may take over their sockets.
  std::vector<ListenerChange> listeners;
  // Nothing where there is no log.
  std::optional<LogFormat> log;
  bool has_spans = false;
  SharedMemorySpec shared_memory;
  // The largest number of a route.
  std::uint32_t routes = 0;
  // How long connections may stay whose listener is gone.
  Duration drain_timeout{};
};

}  // namespace hone::mesh
