// How a cluster's requests are dealt out to its endpoints.
#pragma once

#include "cluster/spec.hpp"
#include "config/value.hpp"

namespace hone::mesh::config {

// Reads how a cluster chooses, whose endpoints have been read already.
void read_balance(const Value& value, ClusterSpec& cluster);

// Makes the table of hashes of a cluster that chooses by one, of its endpoints.
void make_table(ClusterSpec& cluster);

// Reads which of a cluster's requests stay where this process is. It comes behind read_balance.
void read_local_first(const Value& value, ClusterSpec& cluster);

}  // namespace hone::mesh::config
