// The client of a control plane: requests clusters and listeners, and the endpoints and routes that they name, has them
// served, and reports which of them are refused and why.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "config/names.hpp"
#include "net/parts.hpp"
#include "serve/served.hpp"
#include "xds/call.hpp"
#include "xds/discovery.hpp"
#include "xds/making.hpp"
#include "xds/store.hpp"

namespace hone::mesh::xds {

// Host is the process that a control plane steers.
struct Host {
  const Served& served;
  config::Names& names;
  // Serves an update. Returns the reason why this is not possible; empty where it is done.
  Delegate<std::string(Update)> serve;
};

// Client belongs to the main thread. Resources stay in force while no control plane answers.
class Client {
 public:
  // Serves the resources kept in the file of the specification, and connects to one of the planes; or reads the files
  // with resources.
  Client(Parts parts, ControlPlaneSpec spec, const ClusterSpec* planes, std::optional<AccessLogSpec> log, Host host);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  const ControlPlaneSpec& spec() const { return spec_; }
  bool is_connected() const { return calls_.empty() || calls_[at_]->is_open(); }
  // True once clusters and listeners have come, now or before the process began.
  bool is_ready() const { return of(Kind::kClusters).is_known && of(Kind::kListeners).is_known; }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t refused() const { return refused_; }

 private:
  // User is a cluster or a listener that names other resources.
  using User = std::pair<Kind, std::string>;
  // Asking is the state of the requests for one kind.
  struct Asking {
    // State form: the version in force, and the last one that was refused. Both forms: the nonce of the last response.
    std::string version;
    std::string nonce;
    std::string refused_version;
    // A refusal that waits to be sent, since the same version was refused before.
    std::optional<Request> late_refusal;
    // Names that were requested on this stream.
    std::set<std::string> names;
    // For resources that are requested by name: the users of each name, and the names that each user needs.
    std::map<std::string, std::set<User>> users;
    std::map<User, std::set<std::string>> needs;
    // False until a response of this kind has come.
    bool is_known = false;
    // True while the next response has all resources, and not only changes.
    bool is_whole_next = true;
  };
  // Before holds the resources that the store had by their names; nothing where it had none.
  using Before = std::map<std::string, std::optional<Resource>>;

  Asking& of(Kind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  const Asking& of(Kind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }

  void connect();
  void on_open();
  void on_message(std::string_view bytes);
  void on_ended(const std::string& why);

  // Takes the resources of a response. Returns the faults of those that are refused.
  std::vector<std::string> take(Response& response);
  Before put(Kind kind, Response& response, bool is_whole);
  void put_back(Kind kind, const std::string& name, const std::optional<Resource>& before);
  // Makes anew the clusters and listeners that depend on a resource. Returns false where one of them has a fault.
  bool make(Kind kind, const std::string& name, Update& update, std::vector<std::string>& faults);
  bool make_cluster(const std::string& name, Update& update, std::vector<std::string>& faults);
  bool fill_cluster(const std::string& name, Update& update, std::vector<std::string>& faults);
  bool renew_secrets(const std::string& name, Update& update, std::vector<std::string>& faults);
  bool make_listener(const std::string& name, Update& update, std::vector<std::string>& faults);
  std::string clash_of(const ListenerSpec& spec, const Update& update) const;
  void note_needs(const User& user, const Needs& needs);
  void note_needs(Kind kind, const User& user, const std::set<std::string>& needs);
  std::set<std::string> needs_of(Kind kind, const User& user) const;
  void forget(Kind kind, const std::string& name, Update& update);
  void forget_others(Kind kind, Update& update);

  void answer(const Response& response, const std::vector<std::string>& faults);
  void ask_first(Kind kind);
  void ask_for_names(Kind kind);
  void refuse_late();
  std::set<std::string> names_of(Kind kind) const;
  void send(Request request);

  void look_at_files();
  void take_files();

  void serve_kept();
  void keep_soon();
  void keep();

  Parts parts_;
  const ControlPlaneSpec spec_;
  const std::optional<AccessLogSpec> log_;
  const Host host_;
  // Calls to the endpoints of the cluster, and the index of the one in use.
  std::vector<std::unique_ptr<Call>> calls_;
  std::size_t at_ = 0;
  Timer again_;
  // The files as they were last read.
  std::map<std::string, FileStamp> files_;
  Duration pause_;
  Store store_;
  std::array<Asking, kKinds.size()> kinds_;
  // Clusters without the endpoints that they name.
  std::map<std::string, ClusterSpec> bare_clusters_;
  bool has_told_node_ = false;
  Timer refuse_late_;
  Timer keep_;
  std::uint64_t taken_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace hone::mesh::xds
