// An Envoy configuration in the words of hone-mesh's own.
//
// Nothing is read here that hone-mesh's own reader would not check: the result is a configuration as a person could
// have written it, and goes through that reader.
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
