#include "serve/served.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include "net/socket.hpp"

namespace hone::mesh {
namespace {

void remove_unix_socket(const ListenerSpec& listener) {
  if (listener.address.is_unix()) ::unlink(std::string(listener.address.path()).c_str());
}

}  // namespace

Served::~Served() {
  if (!owns_paths_) return;
  for (const auto& [name, listener] : listeners_) remove_unix_socket(*listener.spec);
}

Change Served::take(Update update) {
  if (update.is_whole) {
    name_listeners_gone(update);
    name_clusters_gone(update);
  }
  for (Inherited& one : inherited_) one.is_taken = false;
  Listeners next = opened(update);
  std::erase_if(inherited_, [](const Inherited& one) { return one.is_taken; });
  rotate_tls(update);
  Change change;
  take_listeners(update, std::move(next), change);
  take_clusters(update, change);
  return change;
}

// Gives listeners that stay their new certificates. Other listeners have a new specification, with its own.
void Served::rotate_tls(const Update& update) {
  for (const ListenerSpec& spec : update.listeners) {
    const auto before = listeners_.find(spec.name);
    if (before == listeners_.end() || spec.tls == nullptr || before->second.spec->tls == nullptr) continue;
    before->second.spec->tls->take(*spec.tls);
  }
}

void Served::name_listeners_gone(Update& update) const {
  std::set<std::string_view> named;
  for (const ListenerSpec& spec : update.listeners) named.insert(spec.name);
  for (const auto& [name, listener] : listeners_) {
    if (listener.origin == update.origin && !named.contains(name)) update.listeners_gone.push_back(name);
  }
}

void Served::name_clusters_gone(Update& update) const {
  std::set<std::uint32_t> named;
  for (const ClusterSpec& spec : update.clusters) named.insert(spec.number);
  for (const auto& [number, cluster] : clusters_) {
    if (cluster.origin == update.origin && !named.contains(number)) update.clusters_gone.push_back(number);
  }
}

Served::Listeners Served::opened(Update& update) {
  // Listeners that end leave their sockets to others.
  std::vector<const OpenListener*> ending;
  const auto known = [&](const std::string& name) {
    const auto found = listeners_.find(name);
    return found == listeners_.end() ? nullptr : &found->second;
  };
  for (const std::string& name : update.listeners_gone) {
    if (const OpenListener* const before = known(name)) ending.push_back(before);
  }
  for (const ListenerSpec& spec : update.listeners) {
    const OpenListener* const before = known(spec.name);
    if (before != nullptr && !before->spec->speaks_like(spec)) ending.push_back(before);
  }
  Listeners all;
  for (ListenerSpec& spec : update.listeners) {
    const OpenListener* const before = known(spec.name);
    const bool stays = before != nullptr && before->spec->speaks_like(spec);
    if (stays && before->spec->fingerprint == spec.fingerprint) continue;
    spec.metrics = before != nullptr ? before->spec->metrics : std::make_shared<PerWorker<ListenerMetrics>>(workers_);
    if (before != nullptr) spec.connections_open = before->spec->connections_open;
    OpenListener& listener = all.emplace_back(stays ? *before : OpenListener{.id = ++last_id_});
    listener.origin = update.origin;
    listener.spec = std::make_shared<const ListenerSpec>(std::move(spec));
    if (stays) continue;
    refuse_address_of_another(*listener.spec, ending);
    open(listener, ending);
  }
  return all;
}

void Served::refuse_address_of_another(const ListenerSpec& spec, const std::vector<const OpenListener*>& ending) const {
  for (const auto& [name, one] : listeners_) {
    const bool ends = std::find(ending.begin(), ending.end(), &one) != ending.end();
    if (!ends && spec.has_address_of(*one.spec)) {
      throw std::system_error(EADDRINUSE, std::generic_category(),
                              spec.address.text() + " of listener " + spec.name + " is that of " + name);
    }
  }
}

// Opens the sockets of a listener, or takes those of a listener that ends and had the same address.
void Served::open(OpenListener& listener, std::vector<const OpenListener*>& ending) {
  const Address& address = listener.spec->address;
  const auto same = std::find_if(ending.begin(), ending.end(),
                                 [&](const OpenListener* one) { return one->spec->address.is_socket_of(address); });
  if (same != ending.end()) {
    listener.bound = address.is_unix() ? address : (*same)->bound;
    listener.sockets = (*same)->sockets;
    ending.erase(same);
    return;
  }
  if (open_inherited(listener)) return;
  const auto first = std::make_shared<const Descriptor>(listen_on(address));
  listener.bound = address.is_unix() ? address : bound_address(first->get());
  listener.sockets.push_back(first);
  fill(listener);
}

// Takes the sockets that another process has listened on at the same address. Where the kernel chooses the port, the
// listener must have the same name. Returns false where there are none.
bool Served::open_inherited(OpenListener& listener) {
  const ListenerSpec& spec = *listener.spec;
  const auto same = std::find_if(inherited_.begin(), inherited_.end(), [&](const Inherited& one) {
    return !one.is_taken && one.address.is_socket_of(spec.address) &&
           (!spec.address.has_any_port() || one.name == spec.name);
  });
  if (same == inherited_.end()) return false;
  listener.sockets = same->sockets;
  listener.bound = spec.address.is_unix() ? spec.address : bound_address(listener.sockets.front()->get());
  same->is_taken = true;
  fill(listener);
  return true;
}

// Opens further sockets, so that each worker has one.
void Served::fill(OpenListener& listener) const {
  const std::shared_ptr<const Descriptor> first = listener.sockets.front();
  const bool is_unix = listener.spec->address.is_unix();
  while (listener.sockets.size() < workers_) {
    listener.sockets.push_back(is_unix ? first : std::make_shared<const Descriptor>(listen_on(listener.bound)));
  }
}

bool Served::lacks_told_listeners() const {
  return std::any_of(inherited_.begin(), inherited_.end(), [](const Inherited& one) { return one.is_told; });
}

Change Served::stop_listening(const std::set<std::string>& handed) {
  Change change;
  for (auto& [name, listener] : listeners_) {
    change.listeners.push_back({listener.id, nullptr});
    // The kernel would go on to assign connections to sockets that only this process has.
    if (!handed.contains(name)) listener.sockets.clear();
  }
  return change;
}

Change Served::listen_again() {
  Change change;
  for (auto& [name, listener] : listeners_) {
    if (listener.sockets.empty()) {
      listener.sockets.push_back(std::make_shared<const Descriptor>(listen_on(listener.bound)));
      fill(listener);
    }
    listener.id = ++last_id_;
    change.listeners.push_back({listener.id, listener.spec, listener.sockets});
  }
  return change;
}

void Served::take_listeners(const Update& update, Listeners opened, Change& change) {
  std::vector<std::shared_ptr<const ListenerSpec>> ended;
  const auto end = [&](const OpenListener& listener) {
    change.listeners.push_back({listener.id, nullptr});
    ended.push_back(listener.spec);
  };
  for (const std::string& name : update.listeners_gone) {
    const auto found = listeners_.find(name);
    if (found == listeners_.end()) continue;
    end(found->second);
    listeners_.erase(found);
  }
  for (const OpenListener& listener : opened) {
    const auto before = listeners_.find(listener.spec->name);
    if (before != listeners_.end() && before->second.id != listener.id) end(before->second);
  }
  std::set<std::string_view> addresses;
  for (OpenListener& listener : opened) {
    change.listeners.push_back({listener.id, listener.spec, listener.sockets});
    addresses.insert(listener.spec->address.bytes());
    listeners_.insert_or_assign(listener.spec->name, std::move(listener));
  }
  for (const auto& spec : ended) {
    if (owns_paths_ && !addresses.contains(spec->address.bytes())) remove_unix_socket(*spec);
  }
}

void Served::take_clusters(Update& update, Change& change) {
  for (ClusterSpec& spec : update.clusters) {
    const auto [known, is_new] = clusters_.try_emplace(spec.number);
    const std::shared_ptr<const ClusterSpec> before = known->second.spec;
    known->second.origin = update.origin;
    if (!is_new) spec.keep_tls_of(*before);
    if (!is_new && before->is_like(spec)) continue;
    spec.go_on_from(before.get(), workers_);
    known->second.spec = std::make_shared<const ClusterSpec>(std::move(spec));
    change.clusters.push_back({known->first, known->second.spec});
  }
  for (const std::uint32_t number : update.clusters_gone) {
    if (clusters_.erase(number) > 0) change.clusters.push_back({number, nullptr});
  }
}

std::optional<Origin> Served::origin_of_listener(const std::string& name) const {
  const auto found = listeners_.find(name);
  return found == listeners_.end() ? std::nullopt : std::optional(found->second.origin);
}

std::optional<Origin> Served::origin_of_cluster(std::uint32_t number) const {
  const auto found = clusters_.find(number);
  return found == clusters_.end() ? std::nullopt : std::optional(found->second.origin);
}

std::shared_ptr<const ClusterSpec> Served::cluster(std::uint32_t number) const {
  const auto found = clusters_.find(number);
  return found == clusters_.end() ? nullptr : found->second.spec;
}

}  // namespace hone::mesh
