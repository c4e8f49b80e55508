//! The manifest of a profile: what it is of, what it was made from, and whether it may be used.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::form::Form;
use crate::gates::Gate;
use crate::quality::{Input, Quality};
use crate::settings::Settings;

/// Format of manifests. Readers refuse others.
pub const FORMAT: &str = "hone-pgo-1";
/// Bytes of a manifest that is read.
const BYTES_MAX: usize = 16 << 20;

/// Manifest of a profile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// Version of Hone that made the profile.
    pub hone: String,
    /// Service.
    pub service: String,
    /// Name of the program's file.
    pub program: String,
    /// Build that the profile is for, by its build id in hexadecimal.
    pub target: String,
    /// Form of the profile.
    pub form: Form,
    /// SHA-256 of the profile in hexadecimal.
    pub sha256: String,
    /// Bytes of the profile.
    pub bytes: u64,
    /// Time at which the profile was made, in seconds since 1970.
    pub created_s: u64,
    /// Figures.
    pub quality: Quality,
    /// Gates.
    pub gates: Vec<Gate>,
    /// Builds that the profile is made from, the heaviest first.
    pub inputs: Vec<Input>,
    /// Hottest functions, with their shares of the weight, the hottest first: at most 500, which have at most 99 %.
    pub functions: Vec<Function>,
    /// Settings.
    pub settings: Settings,
}

/// A hot function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Mangled name.
    pub name: String,
    /// Share of the weight, in millionths.
    pub ppm: u32,
}

/// Reason why a manifest, or the profile that it names, is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The manifest is too large.
    #[error("the manifest has {bytes} bytes, more than {BYTES_MAX}")]
    TooLarge {
        /// Bytes of the manifest.
        bytes: usize,
    },
    /// The manifest cannot be read.
    #[error("the manifest is damaged: {0}")]
    Damaged(String),
    /// Another version of Hone wrote the manifest.
    #[error("the manifest has the format {0}, and this Hone reads {FORMAT}")]
    Format(String),
    /// The profile is not the one that the manifest names.
    #[error("the profile has the sha256 {found}, and its manifest names {named}")]
    OtherProfile {
        /// Sum that the manifest names.
        named: String,
        /// Sum of the profile.
        found: String,
    },
}

impl Manifest {
    /// Reads a manifest.
    pub fn read(bytes: &[u8]) -> Result<Self, ManifestError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        if bytes.len() > BYTES_MAX {
            return Err(ManifestError::TooLarge { bytes: bytes.len() });
        }
        let damaged = |error: serde_json::Error| ManifestError::Damaged(error.to_string());
        let head: Head = serde_json::from_slice(bytes).map_err(damaged)?;
        if head.format != FORMAT {
            return Err(ManifestError::Format(head.format));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(damaged)?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if manifest.sha256.len() != 64 || !manifest.sha256.bytes().all(is_digit) {
            let what = format!("{:?} is no sha256", manifest.sha256);
            return Err(ManifestError::Damaged(what));
        }
        Ok(manifest)
    }

    /// Writes the manifest as JSON for people and programs.
    pub fn write(&self) -> Vec<u8> {
        let mut text = serde_json::to_string_pretty(self).expect("numbers and texts");
        text.push('\n');
        text.into_bytes()
    }

    /// Returns an error if the bytes are not the profile of this manifest.
    pub fn check(&self, profile: &[u8]) -> Result<(), ManifestError> {
        let found = sha256(profile);
        if found != self.sha256 {
            return Err(ManifestError::OtherProfile {
                named: self.sha256.clone(),
                found,
            });
        }
        Ok(())
    }

    /// Returns true if all gates passed, so that the profile may be used.
    pub fn is_fit(&self) -> bool {
        self.gates.iter().all(|gate| gate.passed)
    }
}

/// Returns the SHA-256 of bytes in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
