//! What can go wrong in the store.

use std::{fmt, io};

/// Reason why the store did not do something.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// Folder or object storage failed; the name of the file or object, and the error.
    Storage {
        /// What was tried, such as `read`.
        action: &'static str,
        /// Name of the object.
        name: String,
        /// Error of the system or of the object storage.
        source: io::Error,
    },
    /// Another process has opened the folder.
    Locked {
        /// The folder.
        folder: String,
    },
    /// Name of a tenant that is empty, too long, or has other characters than `a-z`, `0-9`, `-` and `_`.
    TenantName(String),
    /// A batch that is larger than a limit, in bytes.
    BatchTooLarge {
        /// Bytes of the batch, or of its sender's name.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// A batch whose recording ended too long ago to tell it from a copy, in seconds.
    BatchTooOld {
        /// Age of the batch.
        age_s: u64,
        /// The limit.
        max_s: u64,
    },
    /// A batch whose recording ends too far in the future, in seconds.
    BatchAhead {
        /// Time from now to the end of the recording.
        ahead_s: u64,
        /// The limit.
        max_s: u64,
    },
    /// More different rows than a question may have in memory.
    TooManyRows {
        /// The limit.
        max: usize,
    },
    /// More bytes wait for the disk than the limit allows.
    Busy,
    /// A file of the store is not what it should be.
    Damaged {
        /// Name of the object.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A file was written by a later version.
    Newer {
        /// Name of the object.
        name: String,
        /// Format of the file.
        format: u32,
    },
    /// A question found its segments compacted from under it again and again.
    Moving,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Storage {
                action,
                name,
                source,
            } => write!(f, "cannot {action} {name} of the store: {source}"),
            Self::Locked { folder } => write!(
                f,
                "the folder {folder} is open in another hub: stop that hub, or choose another folder"
            ),
            Self::TenantName(name) => write!(
                f,
                "the tenant {name:?} is not a name: use up to 64 of a-z, 0-9, - and _"
            ),
            Self::BatchTooLarge { bytes, max } => write!(
                f,
                "the batch has {bytes} bytes where {max} are allowed: send more often"
            ),
            Self::BatchTooOld { age_s, max_s } => write!(
                f,
                "the batch is {age_s} s old and the limit is {max_s} s: check the clocks of host and hub, or raise the limit"
            ),
            Self::BatchAhead { ahead_s, max_s } => write!(
                f,
                "the batch is from {ahead_s} s in the future and the limit is {max_s} s: check the clocks of host and hub"
            ),
            Self::TooManyRows { max } => write!(
                f,
                "the answer has more than {max} different rows: ask for a shorter time, for fewer services or for fewer tables"
            ),
            Self::Busy => f.write_str("too much waits for the disk: send the batch again later"),
            Self::Damaged { name, what } => write!(
                f,
                "{name} of the store is damaged: {what}; restore the file from a backup"
            ),
            Self::Newer { name, format } => write!(
                f,
                "{name} of the store has format {format}, which a later version wrote: use that version"
            ),
            Self::Moving => {
                f.write_str("compaction overtook the question several times: ask again")
            }
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Storage { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Adds what was tried to errors of the storage.
pub(crate) trait Tried<T> {
    /// Turns the error into one of the store.
    fn tried(self, action: &'static str, name: &str) -> Result<T, StoreError>;
}

impl<T> Tried<T> for io::Result<T> {
    fn tried(self, action: &'static str, name: &str) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::Storage {
            action,
            name: name.to_owned(),
            source,
        })
    }
}
