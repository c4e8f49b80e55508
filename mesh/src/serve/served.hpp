// The listeners with their sockets, and the clusters, that the process serves now.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "serve/change.hpp"

namespace hone::mesh {

// Origin is the source of listeners and clusters: the file, or a control plane.
enum class Origin : std::uint8_t { kFile, kControlPlane };

// Update holds listeners and clusters of one origin. They are known by their names.
struct Update {
  Origin origin = Origin::kFile;
  // True if earlier listeners and clusters of the origin that the update does not have are gone.
  bool is_whole = true;
  std::vector<ListenerSpec> listeners = {};
  std::vector<ClusterSpec> clusters = {};
  // Otherwise the listeners and clusters in these lists are gone.
  std::vector<std::string> listeners_gone = {};
  std::vector<std::uint32_t> clusters_gone = {};
};

// OpenListener is a listener with the address that it is bound to and its sockets by workers.
struct OpenListener {
  std::uint64_t id = 0;
  Origin origin = Origin::kFile;
  std::shared_ptr<const ListenerSpec> spec = nullptr;
  Address bound = {};
  std::vector<std::shared_ptr<const Descriptor>> sockets = {};
};

// Inherited is a listener of another process, by its name.
struct Inherited {
  std::string name;
  Address address;
  std::vector<std::shared_ptr<const Descriptor>> sockets;
  // True if the listener came from a control plane.
  bool is_told = false;
  // True while an update is under way that takes these sockets.
  bool is_taken = false;
};

// ServedCluster is a cluster with its origin.
struct ServedCluster {
  Origin origin = Origin::kFile;
  std::shared_ptr<const ClusterSpec> spec;
};

// Served belongs to the main thread.
class Served {
 public:
  explicit Served(std::size_t workers) : workers_(workers) {}
  std::size_t workers() const { return workers_; }
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // Serves an update, and returns the changes for workers. Sockets whose address stays are kept. Throws
  // std::system_error where it cannot listen: then everything is as it was.
  Change take(Update update);
  // Leaves the sockets to the workers: they are closed with the last worker.
  void let_go() {
    for (auto& [name, listener] : listeners_) listener.sockets.clear();
  }

  // Keeps sockets for listeners that are opened from now on and have the same address.
  void inherit(std::vector<Inherited> all) { inherited_ = std::move(all); }
  // Closes the inherited sockets that no listener has taken.
  void end_inheriting() { inherited_.clear(); }
  // Sets whether this process owns the paths of Unix sockets, which their owner removes at its end.
  void own_paths(bool owns) { owns_paths_ = owns; }
  // True while listeners that the other process had from a control plane are missing here.
  bool lacks_told_listeners() const;
  // Return the changes for workers to take no more connections, and to take them again by the same sockets. The sockets
  // of listeners that were not handed to another process are closed meanwhile. listen_again throws std::system_error
  // where an address is taken by then.
  Change stop_listening(const std::set<std::string>& handed);
  Change listen_again();

  // Listeners by their names.
  const std::map<std::string, OpenListener>& listeners() const { return listeners_; }
  // Clusters by their numbers.
  const std::map<std::uint32_t, ServedCluster>& clusters() const { return clusters_; }
  // Each returns nothing where there is no such listener or cluster.
  std::optional<Origin> origin_of_listener(const std::string& name) const;
  std::optional<Origin> origin_of_cluster(std::uint32_t number) const;
  std::shared_ptr<const ClusterSpec> cluster(std::uint32_t number) const;

 private:
  using Listeners = std::vector<OpenListener>;

  void name_listeners_gone(Update& update) const;
  void name_clusters_gone(Update& update) const;
  // Returns the listeners of an update that are new or changed. Until it returns, nothing has changed.
  Listeners opened(Update& update);
  void open(OpenListener& listener, std::vector<const OpenListener*>& ending);
  bool open_inherited(OpenListener& listener);
  void fill(OpenListener& listener) const;
  void refuse_address_of_another(const ListenerSpec& spec, const std::vector<const OpenListener*>& ending) const;
  void rotate_tls(const Update& update);
  void take_listeners(const Update& update, Listeners opened, Change& change);
  void take_clusters(Update& update, Change& change);

  const std::size_t workers_;
  std::uint64_t last_id_ = 0;
  std::vector<Inherited> inherited_;
  bool owns_paths_ = true;
  std::map<std::string, OpenListener> listeners_;
  std::map<std::uint32_t, ServedCluster> clusters_;
};

}  // namespace hone::mesh
