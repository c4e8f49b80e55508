// TLS of the own form of configuration. Files with certificates and keys are read with it, so that what is wrong with
// them is told as everything else.
#pragma once

#include <memory>

#include "config/value.hpp"
#include "net/tls_context.hpp"

namespace hone::mesh::config {

// Reads what a listener shows its clients, what it wants of them, and what it takes to be spoken.
std::shared_ptr<const TlsContext> read_listener_tls(const Value& value, Alpn alpn);

// Reads whom a cluster trusts, and what it shows its endpoints.
std::shared_ptr<const TlsContext> read_cluster_tls(const Value& value);

}  // namespace hone::mesh::config
