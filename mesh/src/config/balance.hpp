// How a cluster's requests are dealt out to its endpoints.
#pragma once

#include "cluster/spec.hpp"
#include "config/value.hpp"

namespace hone::mesh::config {

// Reads how a cluster chooses, whose endpoints have been read already.
void read_balance(const Value& value, ClusterSpec& cluster);

}  // namespace hone::mesh::config
