//! Looks at a file from outside: what it is, from its headers alone. Nothing is stored here.

use std::io::{Read, Seek, SeekFrom};

use hone_profile::BuildId;
use hone_symbols::contents_of;
use serde::{Deserialize, Serialize};

use super::error::Refused;
use super::kind::{Detail, Kind};
use super::limits::Limits;

/// What a file is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SymbolFile {
    /// Build id in hexadecimal.
    pub build: String,
    /// Kind of the file.
    pub kind: Kind,
    /// Bytes of the file.
    pub bytes: u64,
}

impl SymbolFile {
    /// Returns the build id; `None` if the text is none.
    pub fn build_id(&self) -> Option<BuildId> {
        BuildId::from_hex(&self.build)
    }
}

/// Looks at a file. Reads headers and notes; memory does not grow with the file.
///
/// # Errors
///
/// Returns the reason why the file is not one that can be stored.
pub fn inspect<R: Read + Seek>(mut file: R, limits: &Limits) -> Result<SymbolFile, Refused> {
    let cannot = |error: std::io::Error| Refused::Parser(error.to_string());
    let bytes = file.seek(SeekFrom::End(0)).map_err(cannot)?;
    let max = limits.file_bytes;
    if bytes > max {
        return Err(Refused::TooLarge { bytes, max });
    }
    let contents = contents_of(&mut file)?;
    if contents.is_package {
        return Err(Refused::Package);
    }
    if !contents.is_linked {
        return Err(Refused::NotLinked);
    }
    let id = contents.build_id.ok_or(Refused::NoBuildId)?;
    if id.as_bytes().iter().all(|byte| *byte == 0) {
        return Err(Refused::ZeroBuildId);
    }
    let (unpacked, max) = (contents.unpacked_bytes, limits.unpacked_bytes);
    if unpacked > max {
        return Err(Refused::UnpacksTooLarge {
            bytes: unpacked,
            max,
        });
    }
    let detail = match (contents.has_debug_info, contents.has_symbols) {
        (true, _) => Detail::Debug,
        (false, true) => Detail::Symbols,
        (false, false) => Detail::Nothing,
    };
    let kind = Kind {
        has_code: contents.has_code,
        detail,
    };
    if !Kind::ALL.contains(&kind) {
        return Err(Refused::Nothing);
    }
    Ok(SymbolFile {
        build: id.to_string(),
        kind,
        bytes,
    })
}
