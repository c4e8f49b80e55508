// What the process serves now: the listeners with their sockets, and the clusters.
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

// Origin is who says what is served: the file, or a control plane.
enum class Origin : std::uint8_t { kFile, kControlPlane };

// Update is what an origin says. Listeners and clusters are known by their names.
struct Update {
  Origin origin = Origin::kFile;
  // True if what the origin said before and does not say now is gone.
  bool is_whole = true;
  std::vector<ListenerSpec> listeners = {};
  std::vector<ClusterSpec> clusters = {};
  // Otherwise these are gone.
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

// Inherited is what another process has listened on: a listener of it by its name.
struct Inherited {
  std::string name;
  Address address;
  std::vector<std::shared_ptr<const Descriptor>> sockets;
  // True if a control plane has said it.
  bool is_told = false;
  // True while an update is taken that takes these sockets.
  bool is_taken = false;
};

// ServedCluster is a cluster with who says so.
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

  // Serves what an update says, and returns what workers have to change. Sockets whose address stays are kept. Throws
  // std::system_error where it cannot listen: then everything is as it was.
  Change take(Update update);
  // Leaves the sockets to the workers, with whose last one they are closed.
  void let_go() {
    for (auto& [name, listener] : listeners_) listener.sockets.clear();
  }

  // Has listeners that are opened from now on take these sockets where they have the same address.
  void inherit(std::vector<Inherited> all) { inherited_ = std::move(all); }
  // Closes what nobody has taken of them.
  void end_inheriting() { inherited_.clear(); }
  // Unix sockets are taken away with the process that they belong to, and this one may not be it yet, or no longer.
  void own_paths(bool owns) { owns_paths_ = owns; }
  // True while listeners that a control plane has said to the other process are missing here.
  bool lacks_told_listeners() const;
  // Returns what workers have to change to take no more connections, and to take them again by the same sockets. Those
  // of listeners that were not handed to another process are closed meanwhile. The second one throws std::system_error
  // where an address is taken by then.
  Change stop_listening(const std::set<std::string>& handed);
  Change listen_again();

  // By names.
  const std::map<std::string, OpenListener>& listeners() const { return listeners_; }
  // By numbers.
  const std::map<std::uint32_t, ServedCluster>& clusters() const { return clusters_; }
  // Each returns nothing where there is none.
  std::optional<Origin> origin_of_listener(const std::string& name) const;
  std::optional<Origin> origin_of_cluster(std::uint32_t number) const;
  std::shared_ptr<const ClusterSpec> cluster(std::uint32_t number) const;

 private:
  using Listeners = std::vector<OpenListener>;

  void name_listeners_gone(Update& update) const;
  void name_clusters_gone(Update& update) const;
  // Returns listeners that are new or say something new. Nothing has changed before that.
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
