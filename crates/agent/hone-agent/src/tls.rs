//! TLS by rustls, for sending and receiving: trusted authorities, and the agent's own identity.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use rustls_platform_verifier::BuilderVerifierExt;
use std::sync::Arc;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

/// Trusted authorities and own identity, as PEM.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tls {
    /// Authorities to trust instead of the machine's authorities. For a listener: clients must have a certificate that
    /// one of these authorities vouches for.
    pub authorities: Option<Vec<u8>>,
    /// Own certificates and key, where the other side asks for them; a listener must have them.
    pub identity: Option<Identity>,
}

/// A certificate with the certificates that vouch for it, and its key, as PEM.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// The chain of certificates.
    pub certificates: Vec<u8>,
    /// The private key.
    pub key: Vec<u8>,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity")
    }
}

/// Reasons why TLS cannot be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TlsError {
    /// The PEM text holds nothing of this kind.
    #[error("no {0} in the PEM file")]
    Empty(&'static str),
    /// The PEM text, a certificate or a key is not valid.
    #[error("{what}: {why}")]
    Invalid {
        /// Kind of the text that was read.
        what: &'static str,
        /// Reason why the text is not valid.
        why: String,
    },
}

const AUTHORITIES: &str = "certificates of authorities";
const CERTIFICATES: &str = "own certificates";
const KEY: &str = "own key";

fn invalid(what: &'static str, why: impl ToString) -> TlsError {
    let why = why.to_string();
    TlsError::Invalid { what, why }
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

impl Tls {
    /// Checks that there are authorities to trust, and that certificates and keys can be read.
    pub fn check(&self) -> Result<(), TlsError> {
        self.for_tcp().map(drop)
    }

    /// Returns the configuration for HTTP.
    pub(crate) fn for_http(&self) -> Result<TlsConfig, TlsError> {
        let roots = match &self.authorities {
            None => RootCerts::PlatformVerifier,
            Some(pem) => RootCerts::new_with_certs(&certificates(pem, AUTHORITIES)?),
        };
        let identity = match &self.identity {
            None => None,
            Some(identity) => {
                let key = PrivateKey::from_pem(&identity.key);
                let key = key.map_err(|error| invalid(KEY, error))?;
                let chain = certificates(&identity.certificates, CERTIFICATES)?;
                Some(ClientCert::new_with_certs(&chain, key))
            }
        };
        Ok(TlsConfig::builder()
            .root_certs(roots)
            .client_cert(identity)
            .unversioned_rustls_crypto_provider(provider())
            .build())
    }

    /// Returns the configuration for lines and frames over TCP.
    pub(crate) fn for_tcp(&self) -> Result<Arc<ClientConfig>, TlsError> {
        let builder = ClientConfig::builder_with_provider(provider());
        let builder = builder
            .with_safe_default_protocol_versions()
            .map_err(|error| invalid("protocol versions", error))?;
        let builder = match &self.authorities {
            None => builder
                .with_platform_verifier()
                .map_err(|error| invalid("the machine's authorities", error))?,
            Some(pem) => builder.with_root_certificates(roots(pem)?),
        };
        let config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some(identity) => {
                let (chain, key) = identity.read()?;
                let config = builder.with_client_auth_cert(chain, key);
                config.map_err(|error| invalid(CERTIFICATES, error))?
            }
        };
        Ok(Arc::new(config))
    }

    /// Returns the configuration for connections that a listener accepts.
    pub(crate) fn for_listener(&self) -> Result<Arc<ServerConfig>, TlsError> {
        let identity = self.identity.as_ref();
        let identity = identity.ok_or(TlsError::Empty(CERTIFICATES))?;
        let builder = ServerConfig::builder_with_provider(provider());
        let builder = builder
            .with_safe_default_protocol_versions()
            .map_err(|error| invalid("protocol versions", error))?;
        let builder = match &self.authorities {
            None => builder.with_no_client_auth(),
            Some(pem) => {
                let roots = Arc::new(roots(pem)?);
                let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider());
                let verifier = verifier.build();
                builder.with_client_cert_verifier(
                    verifier.map_err(|error| invalid(AUTHORITIES, error))?,
                )
            }
        };
        let (chain, key) = identity.read()?;
        let config = builder.with_single_cert(chain, key);
        Ok(Arc::new(
            config.map_err(|error| invalid(CERTIFICATES, error))?,
        ))
    }
}

impl Identity {
    fn read(&self) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), TlsError> {
        let key = PrivateKeyDer::from_pem_slice(&self.key);
        let key = key.map_err(|error| invalid(KEY, error))?;
        Ok((chain(&self.certificates, CERTIFICATES)?, key))
    }
}

fn roots(pem: &[u8]) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    for authority in chain(pem, AUTHORITIES)? {
        let added = roots.add(authority);
        added.map_err(|error| invalid(AUTHORITIES, error))?;
    }
    Ok(roots)
}

fn chain(pem: &[u8], what: &'static str) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match chain {
        Ok(chain) if chain.is_empty() => Err(TlsError::Empty(what)),
        Ok(chain) => Ok(chain),
        Err(error) => Err(invalid(what, error)),
    }
}

fn certificates(pem: &[u8], what: &'static str) -> Result<Vec<Certificate<'static>>, TlsError> {
    let mut certificates = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| invalid(what, error))? {
            certificates.push(certificate);
        }
    }
    match certificates.is_empty() {
        true => Err(TlsError::Empty(what)),
        false => Ok(certificates),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_refused() {
        let tls = Tls {
            authorities: Some(b"not PEM".to_vec()),
            identity: None,
        };
        assert_eq!(tls.for_tcp().err(), Some(TlsError::Empty(AUTHORITIES)));
        assert_eq!(tls.for_http().err(), Some(TlsError::Empty(AUTHORITIES)));
        let without_own = tls.for_listener().err();
        assert_eq!(without_own, Some(TlsError::Empty(CERTIFICATES)));
    }
}
