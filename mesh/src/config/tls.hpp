// TLS in hone-mesh's own form of configuration. Files with certificates and keys are read with it, so that their faults
// are reported as all others.
#pragma once

#include <memory>
#include <vector>

#include "config/value.hpp"
#include "net/tls.hpp"

namespace hone::mesh::config {

// Reads the certificates that a listener shows its clients, and the conditions on those of its clients. The listener
// takes `alpn`. Where secrets may be named and are, no context is made yet.
std::shared_ptr<Tls> read_listener_tls(const Value& value, Alpn alpn, bool may_be_secret);

// Reads the authorities that a cluster trusts, and the certificate that it shows its endpoints.
std::shared_ptr<Tls> read_cluster_tls(const Value& value, bool may_be_secret);

// Reads the identities that a peer may have, by its certificate.
std::vector<IdentityMatch> read_identities(const Value& value);

}  // namespace hone::mesh::config
