//! `[tls]`: the certificate and key of HTTPS.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawTls {
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl RawTls {
    /// Reads certificate and key, if they are set.
    pub(super) fn meant(self) -> Result<Option<Arc<ServerConfig>>> {
        let (certificate, key) = match (self.certificate, self.key) {
            (None, None) => return Ok(None),
            (Some(certificate), Some(key)) => (certificate, key),
            _ => bail!("tls.certificate and tls.key belong together; set both or neither"),
        };
        let shown = certificate.display().to_string();
        let chain: Result<Vec<_>, _> =
            CertificateDer::pem_slice_iter(&pem("tls.certificate", &certificate)?).collect();
        let chain = chain.with_context(|| shown.clone())?;
        if chain.is_empty() {
            bail!("{shown} has no certificate; tls.certificate must name a PEM file with one");
        }
        let private = PrivateKeyDer::from_pem_slice(&pem("tls.key", &key)?);
        let private = private.with_context(|| key.display().to_string())?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .context("protocol versions of TLS")?
            .with_no_client_auth()
            .with_single_cert(chain, private)
            .with_context(|| format!("{shown} and {}", key.display()))?;
        Ok(Some(Arc::new(config)))
    }
}

fn pem(setting: &str, file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("{setting}: cannot read {}", file.display()))
}
