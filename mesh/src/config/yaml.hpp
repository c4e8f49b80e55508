// The own form of configuration: a YAML file becomes a snapshot, or a list of faults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/snapshot.hpp"

namespace hone::mesh::config {

// Read is a snapshot, or what is wrong: then there is none.
struct Read {
  std::unique_ptr<Snapshot> snapshot;
  // One text each, with file and line.
  std::vector<std::string> faults;
};

// Reads the text of a file, whose name stands in faults.
Read read_yaml(const std::string& text, const std::string& file);

}  // namespace hone::mesh::config
