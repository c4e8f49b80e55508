// Translates an Envoy configuration into one of hone-mesh's own.
//
// The result is a configuration as a person could have written it, and goes through hone-mesh's own reader: nothing is
// read here that this reader would not check.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "envoy/findings.hpp"

namespace hone::mesh::envoy {

struct Translation {
  YAML::Node config;
  Findings findings;
};

// Reads a bootstrap, or a dump of configurations, of Envoy's API v3 in JSON or YAML.
Translation translate(const std::string& text);

}  // namespace hone::mesh::envoy
