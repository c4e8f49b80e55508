// Makes clusters and listeners from the resources of a control plane.
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

// Needs are the names of the resources that a cluster or a listener names.
using Needs = std::map<Kind, std::set<std::string>>;

// Made is a cluster or a listener, or its faults. Without either, a resource that it names has not come yet.
template <class Spec>
struct Made {
  std::optional<Spec> spec;
  std::vector<std::string> faults;
  Needs needs;
};

// Makes a cluster without the endpoints that it names: these come and go more often. Its TLS has no context where
// secrets have not come yet.
Made<ClusterSpec> make_cluster_spec(const Store& store, const std::string& name, config::Names& names);
// Gives a cluster its endpoints. Adds their faults to `faults`.
void set_endpoints(const Store& store, const std::string& name, ClusterSpec& spec, std::vector<std::string>& faults);
// Gives TLS the secrets that it names, if all of them are there. Adds their faults to `faults`.
void set_secrets(const Store& store, Tls& tls, std::vector<std::string>& faults);
// Makes a listener. Listeners write the log that the file names, or none.
Made<ListenerSpec> make_listener_spec(const Store& store, const std::string& name,
                                      const std::optional<AccessLogSpec>& log, config::Names& names);

}  // namespace hone::mesh::xds
