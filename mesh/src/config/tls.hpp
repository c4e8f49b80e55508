// TLS of the own form of configuration. Files with certificates and keys are read with it, so that what is wrong with
// them is told as everything else.
#pragma once

#include <memory>
#include <vector>

#include "config/value.hpp"
#include "net/tls.hpp"

namespace hone::mesh::config {

// Reads what a listener shows its clients, what it wants of them, and what it takes to be spoken. Where secrets may be
// named and are, nothing of it is made yet.
std::shared_ptr<Tls> read_listener_tls(const Value& value, Alpn alpn, bool may_be_secret);

// Reads whom a cluster trusts, and what it shows its endpoints.
std::shared_ptr<Tls> read_cluster_tls(const Value& value, bool may_be_secret);

// Reads who a peer may be, by its certificate.
std::vector<IdentityMatch> read_identities(const Value& value);

}  // namespace hone::mesh::config
