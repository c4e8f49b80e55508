// Reads the rules by which a cluster's requests are dealt out to its endpoints.
#pragma once

#include "cluster/spec.hpp"
#include "config/value.hpp"

namespace hone::mesh::config {

// Reads the rule by which a cluster chooses an endpoint. The endpoints have been read already.
void read_balance(const Value& value, ClusterSpec& cluster);

// Makes the table of hashes of a cluster that chooses by one, from its endpoints.
void make_table(ClusterSpec& cluster);

// Reads the rule that keeps a cluster's requests at the place of this process. It is called after read_balance.
void read_local_first(const Value& value, ClusterSpec& cluster);

}  // namespace hone::mesh::config
