//! The text that `perf script` prints, for machines where only this text was kept.
//!
//! The output of `perf script --show-mmap-events -F pid,tid,time,event,ip,brstack` has everything that a
//! conversion needs. Fewer fields are enough too: missing facts stay empty, and without process ids an address
//! is placed where all processes agree. Without lines of mappings no address can be placed, except in a
//! binary that is always loaded at the same address ([`read_with`]).
//!
//! Symbols behind addresses are kept as the recording's own names of places, also where nothing else is known of a place.
//!
//! llvm-profgen's aggregated form, with a count before each sample, is read too.
//!
//! Printed forms whose addresses cannot be recovered are refused, because the result would look
//! like a profile: branches as symbols (`brstacksym`), and branches or call chains as offsets in files
//! (`brstackoff`, and call chains with neither of the fields `dso` and `sym`: perf prints them as offsets in files).

mod assemble;
mod branch;
mod doubt;
mod frame_text;
mod header;
mod places;
mod record;

use crate::address::{BuildId, FileOffset, Svma};
use crate::profile::Profile;
use assemble::Assembly;

/// Number of lines between two reports of progress.
const LINES_BETWEEN: usize = 1000;

/// Reason why a text could not be read as the output of `perf script`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// No line of the file looks like a sample.
    #[error("no line of it is a sample as perf script prints them")]
    NoSamples,
    /// The branches were printed as symbols.
    #[error(
        "line {line} names the ends of branches by symbol (brstacksym), which gives no addresses"
    )]
    BranchSymbols {
        /// Number of the line, from 1.
        line: u64,
    },
    /// The branches were printed as offsets.
    #[error(
        "none of the {ends} ends of branches lies in a mapping: they were printed as offsets in files (brstackoff)"
    )]
    BranchOffsets {
        /// Number of ends of branches.
        ends: u64,
    },
    /// The call chains were printed as offsets.
    #[error(
        "none of the {frames} frames lies in a mapping: they are offsets in files, printed without the files (dso)"
    )]
    FrameOffsets {
        /// Number of frames.
        frames: u64,
    },
}

/// A binary of which the text may have addresses in the binary's own view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownBinary {
    /// Path of the binary.
    pub path: String,
    /// Build id of the binary.
    pub build_id: Option<BuildId>,
    /// True if the binary is always loaded at its own addresses (not position-independent).
    pub is_fixed: bool,
    /// Segments: first address, length and place in the file.
    pub segments: Vec<(Svma, u64, FileOffset)>,
}

/// Reads the text of `perf script`. Addresses that no line of the text maps stay unmapped, and are counted.
pub fn read(text: &[u8]) -> Result<Profile, ScriptError> {
    read_with(text, None)
}

/// Reads the text; if it has no lines of mappings at all, its addresses belong to `known`, if that is loaded at its own addresses.
pub fn read_with(text: &[u8], known: Option<&KnownBinary>) -> Result<Profile, ScriptError> {
    read_watched(text, known, |_| {})
}

/// Reads the text like [`read_with`], and reports now and then how many bytes are done.
pub fn read_watched(
    text: &[u8],
    known: Option<&KnownBinary>,
    mut progress: impl FnMut(u64),
) -> Result<Profile, ScriptError> {
    if text.is_empty() {
        return Err(ScriptError::Empty);
    }
    let mut assembly = Assembly::new();
    if let Some(own) = known {
        assembly.know(own);
        if own.is_fixed && !has_mappings(text) {
            assembly.assume(own);
        }
    }
    let mut done = 0;
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        assembly.line(&String::from_utf8_lossy(line));
        done += line.len() as u64 + 1;
        if number % LINES_BETWEEN == 0 {
            progress(done);
        }
    }
    assembly.finish()
}

/// Returns true if the text has lines of mappings, so that no fixed binary is needed.
pub fn has_mappings(text: &[u8]) -> bool {
    const MARK: &[u8] = b"PERF_RECORD_MMAP";
    text.windows(MARK.len()).any(|window| window == MARK)
}
