// Reads the rules by which a cluster's endpoints are checked, and left out where they fail.
#pragma once

#include "cluster/health.hpp"
#include "config/value.hpp"

namespace hone::mesh::config {

HealthRule read_check(const Value& value);
OutlierRule read_outlier(const Value& value);

}  // namespace hone::mesh::config
