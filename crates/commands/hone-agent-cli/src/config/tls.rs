//! `tls` of a listener or a back end.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hone_agent::tls::{Identity, Tls};
use serde::Deserialize;

/// Trusted authorities and own identity, with the contents of the files when they were read. A reload reads the files
/// again and so notices new contents.
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
    /// Error as text, since an error about the configuration file holds only text.
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
