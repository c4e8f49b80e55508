//! The text that `perf script` prints, for machines where only that was kept.
//!
//! Asked for with `perf script --show-mmap-events -F pid,tid,time,event,ip,brstack`, it has all that a
//! conversion needs. Fewer fields do too: what is missing stays empty, and without process ids an address
//! is placed where all processes agree. Without lines of mappings no address can be placed, except in a
//! binary that is always loaded at the same address ([`read_with`]).
//!
//! llvm-profgen's aggregated form, a number of times before each sample, is read too.
//!
//! Printed forms from which addresses cannot be had again are refused, because what came out would look
//! like a profile: branches as symbols (`brstacksym`), and branches or call chains as offsets in files
//! (`brstackoff`, and call chains without the field `dso`: perf prints them as offsets in files).

mod assemble;
mod branch;
mod doubt;
mod header;
mod places;
mod record;

use crate::address::{BuildId, FileOffset, Svma};
use crate::profile::Profile;
use assemble::Assembly;

/// Lines from one word about the progress to the next.
const LINES_BETWEEN: usize = 1000;

/// Why a text could not be read as the output of `perf script`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScriptError {
    /// There is nothing in the file.
    #[error("the file is empty")]
    Empty,
    /// Not one line of it looks like a sample.
    #[error("no line of it is a sample as perf script prints them")]
    NoSamples,
    /// Branches as symbols.
    #[error(
        "line {line} names the ends of branches by symbol (brstacksym), which gives no addresses"
    )]
    BranchSymbols {
        /// The line, from 1.
        line: u64,
    },
    /// Branches as offsets.
    #[error(
        "none of the {ends} ends of branches lies in a mapping: they were printed as offsets in files (brstackoff)"
    )]
    BranchOffsets {
        /// How many.
        ends: u64,
    },
    /// Call chains as offsets.
    #[error(
        "none of the {frames} frames lies in a mapping: they are offsets in files, printed without the files (dso)"
    )]
    FrameOffsets {
        /// How many.
        frames: u64,
    },
}

/// A binary that is always loaded at its own addresses (not position-independent).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedBinary {
    /// Its path.
    pub path: String,
    /// Its build id.
    pub build_id: Option<BuildId>,
    /// Its segments: first address, length and place in the file.
    pub segments: Vec<(Svma, u64, FileOffset)>,
}

/// Reads the text of `perf script`. Addresses that no line of the text maps stay unmapped, and are counted.
pub fn read(text: &[u8]) -> Result<Profile, ScriptError> {
    read_with(text, None)
}

/// Reads the text; if it has no lines of mappings at all, its addresses are those of `fixed`.
pub fn read_with(text: &[u8], fixed: Option<&FixedBinary>) -> Result<Profile, ScriptError> {
    read_watched(text, fixed, |_| {})
}

/// The same, and says now and then how many bytes are done.
pub fn read_watched(
    text: &[u8],
    fixed: Option<&FixedBinary>,
    mut progress: impl FnMut(u64),
) -> Result<Profile, ScriptError> {
    if text.is_empty() {
        return Err(ScriptError::Empty);
    }
    let mut assembly = Assembly::new();
    if let Some(fixed) = fixed.filter(|_| !has_mappings(text)) {
        assembly.assume(fixed);
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

/// Whether the text has lines of mappings, so that nothing need be known of the binary.
pub fn has_mappings(text: &[u8]) -> bool {
    const MARK: &[u8] = b"PERF_RECORD_MMAP";
    text.windows(MARK.len()).any(|window| window == MARK)
}
