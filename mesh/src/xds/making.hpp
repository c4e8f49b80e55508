// Clusters and listeners, made of what a control plane has said of them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/names.hpp"
#include "config/snapshot.hpp"
#include "xds/store.hpp"

namespace hone::mesh::xds {

// Needs are names of what a cluster or a listener names.
using Needs = std::map<Kind, std::set<std::string>>;

// Made is a cluster or a listener, or why there is none. Without a fault, what it names has not been told of yet.
template <class Spec>
struct Made {
  std::optional<Spec> spec;
  std::vector<std::string> faults;
  Needs needs;
};

// Makes a cluster without the endpoints that it names: these come and go more often. Its TLS has no context where
// secrets have not been told of yet.
Made<ClusterSpec> make_cluster_spec(const Store& store, const std::string& name, config::Names& names);
// Gives a cluster its endpoints. Adds what is wrong with them to the faults.
void set_endpoints(const Store& store, const std::string& name, ClusterSpec& spec, std::vector<std::string>& faults);
// Gives TLS the secrets that it names, if all of them are there. Adds what is wrong with them to the faults.
void set_secrets(const Store& store, Tls& tls, std::vector<std::string>& faults);
// Listeners write the log that the file names, or none.
Made<ListenerSpec> make_listener_spec(const Store& store, const std::string& name,
                                      const std::optional<AccessLogSpec>& log, config::Names& names);

}  // namespace hone::mesh::xds
