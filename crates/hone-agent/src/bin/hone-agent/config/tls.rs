//! `tls` of a listener or a back end.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hone_agent::tls::{Identity, Tls};
use serde::Deserialize;

/// Whom to trust and who we are, as it was in the files when they were read: so a reload sees new ones.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Files")]
pub(crate) struct TlsOfFiles(pub(crate) Tls);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    authorities: Option<PathBuf>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl TryFrom<Files> for TlsOfFiles {
    /// As text: a complaint about the file holds only that.
    type Error = String;

    fn try_from(files: Files) -> Result<Self, String> {
        files.read().map(Self).map_err(|error| format!("{error:#}"))
    }
}

impl Files {
    fn read(self) -> Result<Tls> {
        let identity = match (self.certificate, self.key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some(Identity {
                certificates: pem("tls.certificate", &certificate)?,
                key: pem("tls.key", &key)?,
            }),
            _ => bail!("tls.certificate and tls.key belong together; set both or neither"),
        };
        let authorities = self.authorities.map(|file| pem("tls.authorities", &file));
        Ok(Tls {
            authorities: authorities.transpose()?,
            identity,
        })
    }
}

fn pem(key: &str, file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("{key}: cannot read {}", file.display()))
}
