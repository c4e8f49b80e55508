// What the process serves now: the listeners with their sockets, and the clusters.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "process/change.hpp"

namespace hone::mesh {

// OpenListener is a listener with the address that it is bound to and its sockets by workers.
struct OpenListener {
  std::uint64_t id = 0;
  std::shared_ptr<const ListenerSpec> spec = nullptr;
  Address bound = {};
  std::vector<std::shared_ptr<const Descriptor>> sockets = {};
};

// Served belongs to the main thread.
class Served {
 public:
  explicit Served(std::size_t workers) : workers_(workers) {}
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // Serves these and no others, and returns what workers have to change. Sockets whose address stays are kept. Throws
  // std::system_error where it cannot listen: then everything is as it was.
  Change take(std::vector<ListenerSpec> listeners, std::vector<ClusterSpec> clusters);

  // Leaves the sockets to the workers, with whose last one they are closed.
  void let_go() {
    for (OpenListener& listener : listeners_) listener.sockets.clear();
  }

  const std::vector<OpenListener>& listeners() const { return listeners_; }
  // In the order of the snapshot.
  const std::vector<std::shared_ptr<const ClusterSpec>>& clusters() const { return clusters_; }
  // Returns nullptr where there is none.
  std::shared_ptr<const ClusterSpec> cluster(std::uint32_t number) const;

 private:
  using Listeners = std::vector<OpenListener>;

  // Returns those that are new or stay, and adds what changes with them.
  Listeners next_listeners(std::vector<ListenerSpec>& specs, Change& change);
  // Returns the listeners that end with these specifications.
  std::vector<const OpenListener*> ending(const std::vector<ListenerSpec>& specs) const;
  void open(OpenListener& listener, std::vector<const OpenListener*>& ending) const;
  void take_clusters(std::vector<ClusterSpec>& specs, Change& change);

  const std::size_t workers_;
  std::uint64_t last_id_ = 0;
  Listeners listeners_;
  std::vector<std::shared_ptr<const ClusterSpec>> clusters_;
  std::map<std::uint32_t, std::shared_ptr<const ClusterSpec>> by_number_;
};

}  // namespace hone::mesh
