//! Reader of perf.data, seekable or from a pipe: whole, or sample by sample.

use super::source::Source;
use super::user_copy::Unwind;
use super::{header, pass};
use crate::profile::{BranchRecord, Profile, Sample};
use std::io::{Cursor, Read, Seek};

/// Reason why a file could not be read as perf.data at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The system failed to read the file.
    #[error("reading it failed: {0}")]
    Io(String),
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The first eight bytes are not `PERFILE2`.
    #[error("not a perf.data file: it starts with {0:02x?} instead of PERFILE2")]
    NotPerfData(Vec<u8>),
    /// The first bytes are those of version 1 of the format.
    #[error(
        "a perf.data file of a perf from before 2012: version 1 of the format, which starts with PERFFILE"
    )]
    Version1,
    /// The file comes from a machine of the other byte order.
    #[error("a perf.data file of a big-endian machine; only little-endian ones can be read")]
    BigEndian,
    /// The file ends within its header, or the header has no known length.
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
        /// Name of the section.
        section: &'static str,
        /// Position where the section should start.
        start: u64,
        /// Length that the section should have.
        len: u64,
        /// Length of the file.
        file_len: u64,
    },
    /// The header states an impossible length for attributes.
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

impl ReadError {
    pub(crate) fn io(error: std::io::Error) -> Self {
        Self::Io(error.to_string())
    }
}

/// Reads a whole perf.data file.
///
/// Everything that can be understood becomes the profile; the rest is counted in [`Profile::losses`]. So
/// a file that was cut short gives the samples up to the cut.
pub fn read(bytes: &[u8]) -> Result<Profile, ReadError> {
    let mut samples = Vec::new();
    let mut branches: Vec<BranchRecord> = Vec::new();
    let mut dropped = 0;
    let mut profile = stream(Cursor::new(bytes), |_, sample, own| {
        let start = branches.len() as u32;
        if branches.len() + own.len() <= u32::MAX as usize {
            branches.extend_from_slice(own);
        } else {
            dropped += own.len() as u64;
        }
        samples.push(Sample {
            branches: start..branches.len() as u32,
            ..sample.clone()
        });
    })?;
    profile.samples = samples;
    profile.branches = branches;
    profile.losses.dropped_branches += dropped;
    Ok(profile)
}

/// Reads a perf.data file without keeping its samples: each sample goes to `take` with its branch records (newest
/// first), in order of time. The profile holds everything else.
///
/// The profile that `take` sees grows on the way: its tables explain the handles of the current sample. The reader
/// takes memory for distinct locations and stacks, and for the records between two of perf's marks of a
/// finished round; a file without such marks waits in memory until its end.
pub fn stream<R: Read + Seek>(
    file: R,
    mut take: impl FnMut(&Profile, &Sample, &[BranchRecord]),
) -> Result<Profile, ReadError> {
    let mut source = Source::new(file)?;
    let header = header::parse(&mut source)?;
    pass::run(source, Vec::new(), header, None, &mut take)
}

/// Reads a file like [`stream`], with the user stacks of samples that copied them: `unwind` finds the frames, outside those
/// of the kernel. A copy is available for its own sample only. If a stack does not reach its root, its outermost frame says
/// so ([`Profile::stack_end`]).
pub fn stream_unwound<R: Read + Seek>(
    file: R,
    unwind: &mut dyn Unwind,
    take: impl FnMut(&Profile, &Sample, &[BranchRecord]),
) -> Result<Profile, ReadError> {
    stream_parts(file, Vec::new(), unwind, take)
}

/// Reads the files of a directory that `perf record --threads` writes, like [`stream_unwound`]: the file with the header and
/// records of its own, and files that are nothing but records. All their samples wait in memory until the end.
pub fn stream_parts<R: Read + Seek>(
    file: R,
    parts: Vec<R>,
    unwind: &mut dyn Unwind,
    mut take: impl FnMut(&Profile, &Sample, &[BranchRecord]),
) -> Result<Profile, ReadError> {
    let mut source = Source::new(file)?;
    let header = header::parse(&mut source)?;
    let parts: Result<Vec<_>, _> = parts.into_iter().map(Source::new).collect();
    pass::run(source, parts?, header, Some(unwind), &mut take)
}
