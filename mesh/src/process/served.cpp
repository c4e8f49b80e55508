#include "process/served.hpp"

#include <unistd.h>

#include <algorithm>

#include "net/socket.hpp"

namespace hone::mesh {
namespace {

void remove_unix_socket(const ListenerSpec& listener) {
  if (listener.address.is_unix()) ::unlink(std::string(listener.address.path()).c_str());
}

}  // namespace

Served::~Served() {
  for (const OpenListener& listener : listeners_) remove_unix_socket(*listener.spec);
}

Change Served::take(std::vector<ListenerSpec> listeners, std::vector<ClusterSpec> clusters) {
  Change change;
  listeners_ = next_listeners(listeners, change);
  take_clusters(clusters, change);
  return change;
}

std::vector<const OpenListener*> Served::ending(const std::vector<ListenerSpec>& specs) const {
  std::vector<const OpenListener*> all;
  for (const OpenListener& one : listeners_) {
    const auto is_same = [&](const ListenerSpec& spec) {
      return spec.name == one.spec->name && spec.speaks_like(*one.spec);
    };
    if (std::none_of(specs.begin(), specs.end(), is_same)) all.push_back(&one);
  }
  return all;
}

Served::Listeners Served::next_listeners(std::vector<ListenerSpec>& specs, Change& change) {
  std::vector<const OpenListener*> gone = ending(specs);
  for (const OpenListener* const one : gone) change.listeners.push_back({one->id, nullptr});
  Listeners next;
  for (ListenerSpec& spec : specs) {
    const auto before = std::find_if(listeners_.begin(), listeners_.end(),
                                     [&](const OpenListener& one) { return one.spec->name == spec.name; });
    const bool is_known = before != listeners_.end();
    spec.metrics = is_known ? before->spec->metrics : std::make_shared<PerWorker<ListenerMetrics>>(workers_);
    if (is_known) spec.connections_open = before->spec->connections_open;
    const bool stays = is_known && before->spec->speaks_like(spec);
    if (stays && before->spec->fingerprint == spec.fingerprint) {
      next.push_back(*before);
      continue;
    }
    OpenListener& listener = next.emplace_back(stays ? *before : OpenListener{.id = ++last_id_});
    listener.spec = std::make_shared<const ListenerSpec>(std::move(spec));
    if (!stays) open(listener, gone);
    change.listeners.push_back({listener.id, listener.spec, listener.sockets});
  }
  for (const OpenListener* const one : gone) remove_unix_socket(*one->spec);
  return next;
}

// Opens the sockets of a listener, or takes those of one that ends and had the same address.
void Served::open(OpenListener& listener, std::vector<const OpenListener*>& ending) const {
  const Address& address = listener.spec->address;
  const auto same = std::find_if(ending.begin(), ending.end(),
                                 [&](const OpenListener* one) { return one->spec->address == address; });
  if (same != ending.end()) {
    listener.bound = (*same)->bound;
    listener.sockets = (*same)->sockets;
    ending.erase(same);
    return;
  }
  const auto first = std::make_shared<const Descriptor>(listen_on(address));
  listener.bound = bound_address(first->get());
  listener.sockets.push_back(first);
  while (listener.sockets.size() < workers_) {
    listener.sockets.push_back(address.is_unix() ? first
                                                 : std::make_shared<const Descriptor>(listen_on(listener.bound)));
  }
}

void Served::take_clusters(std::vector<ClusterSpec>& specs, Change& change) {
  auto before = std::exchange(by_number_, {});
  clusters_.clear();
  for (ClusterSpec& spec : specs) {
    const auto known = before.find(spec.number);
    std::shared_ptr<const ClusterSpec> next;
    if (known != before.end() && known->second->is_like(spec)) {
      next = known->second;
    } else {
      spec.go_on_from(known == before.end() ? nullptr : known->second.get(), workers_);
      next = std::make_shared<const ClusterSpec>(std::move(spec));
      change.clusters.push_back({next->number, next});
    }
    if (known != before.end()) before.erase(known);
    clusters_.push_back(next);
    by_number_.emplace(next->number, std::move(next));
  }
  for (const auto& [number, spec] : before) change.clusters.push_back({number, nullptr});
}

std::shared_ptr<const ClusterSpec> Served::cluster(std::uint32_t number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

}  // namespace hone::mesh
