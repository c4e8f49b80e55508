//! What all requests over HTTP have in common.

use std::sync::Arc;

use ureq::config::ConfigBuilder;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;

/// Settings of a client: who asks, and whom it trusts, which is whom the machine trusts, so that a company's own server
/// works too. A status that says no is an answer and no error.
pub fn client() -> ConfigBuilder<AgentScope> {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    ureq::Agent::config_builder()
        .user_agent(concat!("hone/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls)
        .http_status_as_error(false)
}
