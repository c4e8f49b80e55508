//! Settings that all requests over HTTP share.

use std::sync::Arc;

use ureq::config::ConfigBuilder;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;

/// Settings of a client: its user agent, and the certificates that the machine trusts, so that a company's own server works
/// too. An HTTP error status is returned as an answer, not as an error.
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
