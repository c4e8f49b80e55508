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

/// Nanoseconds that a walk by single steps takes for each taken branch at most. Emulated walks take one nanosecond by their time
/// stamps, and the samples that begin two walks of a thread are further apart than all branches of a piece.
const BRANCH_NS_MAX: u64 = 20_000;

/// Place and time at which a piece of a walk ended.
#[derive(Clone, Copy, Debug)]
pub struct PieceEnd {
    newest: BranchRecord,
    time_ns: u64,
}

impl PieceEnd {
    /// Returns the end of a piece with these records, newest first; `None` without a record.
    pub fn of(newest_first: &[BranchRecord], time_ns: u64) -> Option<Self> {
        let newest = *newest_first.first()?;
        Some(Self { newest, time_ns })
    }

    /// Returns true if the next piece of the thread belongs to the same walk: it repeats the newest record, and follows at once. A
    /// loop of one branch ends and begins every walk with the same record, so that the record alone does not tell.
    pub fn goes_on_in(self, newest_first: &[BranchRecord], time_ns: u64) -> bool {
        let most_ns = BRANCH_NS_MAX.saturating_mul(newest_first.len() as u64);
        newest_first.last() == Some(&self.newest)
            && time_ns
                .checked_sub(self.time_ns)
                .is_some_and(|gap_ns| gap_ns < most_ns)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BranchKind, ThirdArgument};

    fn record(from: u32, to: u32) -> BranchRecord {
        BranchRecord {
            from: LocationId(from),
            to: LocationId(to),
            mispredicted: false,
            kind: BranchKind::Unknown,
            third_argument: ThirdArgument::UNKNOWN,
        }
    }

    #[test]
    fn pieces_of_one_walk_are_told_from_walks_of_one_loop() {
        let piece = [record(1, 2); 32];
        let end = PieceEnd::of(&piece, 1_000_000).unwrap();
        assert!(end.goes_on_in(&piece, 1_000_031));
        assert!(!end.goes_on_in(&piece, 2_000_000), "another sample");
        assert!(!end.goes_on_in(&piece, 999_999), "an earlier one");
        assert!(!end.goes_on_in(&[record(3, 4); 32], 1_000_031));
        assert!(!end.goes_on_in(&[], 1_000_001));
        assert!(PieceEnd::of(&[], 5).is_none());
    }
}
