// hone-mesh's own form of configuration: a YAML file becomes a snapshot, or a list of faults.
#pragma once

#include <yaml-cpp/yaml.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/names.hpp"
#include "config/snapshot.hpp"

namespace hone::mesh::config {

// Read is a snapshot, or the faults where there is none.
struct Read {
  std::unique_ptr<Snapshot> snapshot;
  // One text for each fault, with file and line.
  std::vector<std::string> faults;
  // False if there was no text.
  bool is_there = true;
};

// Reads the text of a file, whose name stands in faults. `names` has the numbers of earlier configurations.
Read read_yaml(const std::string& text, const std::string& file, Names& names);
// Reads the only configuration there is.
Read read_yaml(const std::string& text, const std::string& file);
// Read one cluster or listener from a control plane. They add faults to `faults`, and then return nothing. A cluster
// may have no endpoints, and routes may name clusters that become known later.
std::optional<ClusterSpec> read_cluster_part(const YAML::Node& node, const std::string& where, Names& names,
                                             std::vector<std::string>& faults);
std::optional<ListenerSpec> read_listener_part(const YAML::Node& node, const std::string& where, Names& names,
                                               std::vector<std::string>& faults);

// Reads a file. A file that cannot be read is a fault.
Read read_file(const std::string& path, Names& names);

}  // namespace hone::mesh::config
