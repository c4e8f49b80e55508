//! Settings that all requests over HTTP share, and addresses in messages.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use ureq::config::ConfigBuilder;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::typestate::AgentScope;

/// Settings of a client: its user agent, and the certificates that the machine trusts, so that a company's own server works
/// too. An HTTP error status is returned as an answer, not as an error.
pub fn client() -> ConfigBuilder<AgentScope> {
    client_with(RootCerts::PlatformVerifier)
}

/// Settings of a client with limits on time: for the connection, and for the beginning of an answer and each further piece of it.
pub fn client_within(connect: Duration, patience: Duration) -> ConfigBuilder<AgentScope> {
    client()
        .timeout_resolve(Some(connect))
        .timeout_connect(Some(connect))
        .timeout_recv_response(Some(patience))
        .timeout_per_read(Some(patience))
}

/// Settings of a client that trusts these authorities (PEM) alone.
///
/// # Errors
/// There is no certificate, or one cannot be read.
pub fn client_trusting(authorities: &[u8]) -> Result<ConfigBuilder<AgentScope>> {
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in parse_pem(authorities) {
        if let PemItem::Certificate(certificate) = item? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        bail!("there is no certificate in the PEM text");
    }
    Ok(client_with(RootCerts::new_with_certs(&certificates)))
}

fn client_with(roots: RootCerts) -> ConfigBuilder<AgentScope> {
    let tls = TlsConfig::builder()
        .root_certs(roots)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    ureq::Agent::config_builder()
        .user_agent(concat!("hone/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls)
        .http_status_as_error(false)
}

/// Formats an address for people: removes user and password from `https://user:password@host/`.
pub fn without_password(address: &str) -> String {
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
