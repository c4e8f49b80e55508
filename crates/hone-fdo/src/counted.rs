//! What recordings say about one binary by address, for forms that need no debug info.

use crate::aggregate::Evidence;
use crate::code::Code;
use crate::convert::{Warning, count, warnings_of};
use crate::counts::Counts;
use crate::error::FdoError;
use crate::recorded::Recorded;

/// The counts of one binary, and what lowers their worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Branches, ranges and samples by address.
    pub counts: Counts,
    /// What lowers their worth.
    pub warnings: Vec<Warning>,
}

/// Adds up what the recordings say about the binary; `path_hint` is where the caller found it.
pub fn count_binary(
    recordings: &[Recorded],
    evidence: Evidence,
    path_hint: Option<&str>,
    code: &Code<'_>,
) -> Result<Counted, FdoError> {
    if code.binary().functions().is_empty() {
        return Err(FdoError::NoFunctions);
    }
    let (counts, by_name) = count(recordings, evidence, path_hint, code)?;
    let warnings = warnings_of(&counts, by_name);
    Ok(Counted { counts, warnings })
}
