//! Settings that all requests over HTTP share, and addresses in messages.

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

/// Formats an address for people: removes user and password from `https://user:password@host/`.
pub(crate) fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let host_end = rest.find('/').unwrap_or(rest.len());
    let host = rest[..host_end].rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{}", &rest[host_end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let shown = without_password("https://me:secret@host:8002/a@b");
        assert_eq!(shown, "https://host:8002/a@b");
    }
}
