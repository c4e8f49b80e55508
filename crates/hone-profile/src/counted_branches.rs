//! What counts of the branch records of one sample.
//!
//! Hone's own walks (event [`WALK_EVENT`]) are cut into pieces, and each piece repeats the newest record of the piece before as
//! its oldest entry. That entry opens the first range and is not counted as a branch again. Branch stacks of the hardware do not
//! overlap: all their entries count.
//!
//! Stacks that hold only a part of the branches ([`BranchStacks::are_partial`]) tell nothing that can be counted: their samples
//! are plain.
//!
//! [`BranchStacks::are_partial`]: crate::BranchStacks::are_partial

use crate::profile::{BranchRecord, Event, LocationId};

/// Name of the event whose branch stacks are pieces of walks made in software.
pub const WALK_EVENT: &str = "hone-walk";

/// Branch records of one sample, as they are counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedBranches<'r> {
    newest_first: &'r [BranchRecord],
    is_walk: bool,
}

impl<'r> CountedBranches<'r> {
    /// Takes the records of a sample of the event, newest first; `None` if the sample is plain.
    pub fn of(event: Option<&Event>, newest_first: &'r [BranchRecord]) -> Option<Self> {
        let are_partial = event.is_some_and(|event| event.branches.are_partial());
        let is_plain = newest_first.is_empty() || are_partial;
        (!is_plain).then(|| Self {
            newest_first,
            is_walk: event.is_some_and(Event::is_walk),
        })
    }

    /// Number of records that only repeat one of another sample.
    pub fn repeated(self) -> usize {
        usize::from(self.is_walk)
    }

    /// Returns the branches that were taken, newest first.
    pub fn taken(self) -> &'r [BranchRecord] {
        &self.newest_first[..self.newest_first.len() - self.repeated()]
    }

    /// Returns the straight runs of code between two records: first and last instruction.
    pub fn ranges(self) -> impl Iterator<Item = (LocationId, LocationId)> + 'r {
        let pairs = self.newest_first.windows(2);
        pairs.map(|pair| (pair[1].to, pair[0].from))
    }
}
