//! Reads a whole perf.data file, seekable or from a pipe.

use super::assemble::assemble;
use super::header;
use super::scan::scan;
use crate::profile::Profile;

/// Why a file could not be read as perf.data at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// There is nothing in the file.
    #[error("the file is empty")]
    Empty,
    /// The first eight bytes are not `PERFILE2`.
    #[error("not a perf.data file: it starts with {0:02x?} instead of PERFILE2")]
    NotPerfData(Vec<u8>),
    /// The file comes from a machine of the other byte order.
    #[error("a perf.data file of a big-endian machine; only little-endian ones can be read")]
    BigEndian,
    /// The file ends within its header, or the header is of no known length.
    #[error("the header should have {needed} bytes, and the file has {len}")]
    HeaderCut {
        /// Length of the header.
        needed: u64,
        /// Length of the file.
        len: u64,
    },
    /// The header points beyond the end of the file.
    #[error(
        "the {section} section should be {len} bytes at position {start}, but the file has {file_len}"
    )]
    SectionOutside {
        /// Which section.
        section: &'static str,
        /// Where it should start.
        start: u64,
        /// How long it should be.
        len: u64,
        /// Length of the file.
        file_len: u64,
    },
    /// The header states a length for attributes that none can have.
    #[error("the attributes have {len} bytes each, which no version of the format has")]
    AttributeLength {
        /// The stated length.
        len: u64,
    },
    /// The file describes no event, so no sample in it can be understood.
    #[error("the file describes no event")]
    NoEvents,
    /// The file describes more events than [`crate::limits::EVENTS_MAX`].
    #[error("the file describes more than {max} events")]
    TooManyEvents {
        /// The limit.
        max: usize,
    },
}

/// Reads a whole perf.data file.
///
/// Whatever of it can be understood becomes the profile; the rest is counted in [`Profile::losses`]. So
/// a file that was cut short gives the samples up to the cut.
pub fn read(bytes: &[u8]) -> Result<Profile, ReadError> {
    let header = header::parse(bytes)?;
    let scanned = scan(header)?;
    Ok(assemble(scanned))
}
