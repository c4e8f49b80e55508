// The own form of configuration: a YAML file becomes a snapshot, or a list of faults.
#pragma once

#include <yaml-cpp/yaml.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/names.hpp"
#include "config/snapshot.hpp"

namespace hone::mesh::config {

// Read is a snapshot, or what is wrong: then there is none.
struct Read {
  std::unique_ptr<Snapshot> snapshot;
  // One text each, with file and line.
  std::vector<std::string> faults;
  // False where there was no text.
  bool is_there = true;
};

// Reads the text of a file, whose name stands in faults. Names are those of the configurations before it.
Read read_yaml(const std::string& text, const std::string& file, Names& names);
// Reads the only configuration there is.
Read read_yaml(const std::string& text, const std::string& file);
// Reads one cluster or listener that a control plane says. Adds what is wrong to the faults; then there is none. A
// cluster may have no endpoints, and routes may name clusters that are told of later.
std::optional<ClusterSpec> read_cluster_part(const YAML::Node& node, const std::string& where, Names& names,
                                             std::vector<std::string>& faults);
std::optional<ListenerSpec> read_listener_part(const YAML::Node& node, const std::string& where, Names& names,
                                               std::vector<std::string>& faults);

// Reads a file. Where that is not possible, this is the fault.
Read read_file(const std::string& path, Names& names);

}  // namespace hone::mesh::config
