//! Reading (skeleton).

use crate::profile::Profile;

/// Why a file could not be read as perf.data at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The first eight bytes are not `PERFILE2`.
    #[error("not a perf.data file: it starts with {0:02x?} instead of PERFILE2")]
    NotPerfData(Vec<u8>),
}

/// Reads a whole perf.data file.
pub fn read(_bytes: &[u8]) -> Result<Profile, ReadError> {
    Err(ReadError::NotPerfData(Vec::new()))
}
