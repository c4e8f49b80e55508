//! All code of the compilation units as runs with one inline stack each: what a table of the names of a whole binary is
//! made from.

use super::unit::UnitContent;
use super::{DebugInfo, SourceFrame};
use hone_profile::Svma;
use std::ops::Range;

impl DebugInfo<'_> {
    /// Passes the code of all compilation units to `take` in runs: ranges of addresses for each of which
    /// [`DebugInfo::inline_stack`] returns this stack. Runs do not overlap, and come unit by unit; neighbours may have equal
    /// stacks. In contrast to `inline_stack`, a unit is forgotten after its last run, so that memory does not grow with the
    /// number of units.
    ///
    /// # Errors
    ///
    /// Returns the first error of `take`, which ends the reading.
    pub fn each_run<E>(
        &self,
        mut take: impl FnMut(Range<Svma>, &[SourceFrame<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let ranges = self.disjoint_ranges();
        for of_unit in ranges.chunk_by(|a, b| a.0 == b.0) {
            let index = of_unit[0].0 as usize;
            match self.units[index].content.get() {
                Some(content) => runs_in(content, of_unit, &mut take)?,
                None => runs_in(&self.read_content(index), of_unit, &mut take)?,
            }
        }
        Ok(())
    }

    /// Returns the ranges of addresses of each unit, by unit. Where units overlap, the unit is the one that a look-up finds.
    fn disjoint_ranges(&self) -> Vec<(u32, Range<u64>)> {
        let mut disjoint: Vec<(u32, Range<u64>)> = Vec::with_capacity(self.ranges.len());
        let mut next = u64::MAX;
        for &(start, end, unit) in self.ranges.iter().rev() {
            let range = start..end.min(next);
            if !range.is_empty() {
                disjoint.push((unit, range));
            }
            next = start;
        }
        disjoint.sort_unstable_by_key(|(unit, range)| (*unit, range.start));
        disjoint
    }
}

fn runs_in<E>(
    content: &UnitContent<'_>,
    ranges: &[(u32, Range<u64>)],
    take: &mut impl FnMut(Range<Svma>, &[SourceFrame<'_>]) -> Result<(), E>,
) -> Result<(), E> {
    let mut changes = Vec::new();
    for (_, range) in ranges {
        changes.clear();
        changes.push(range.start);
        content.changes(range, &mut changes);
        changes.push(range.end);
        changes.sort_unstable();
        changes.dedup();
        for run in changes.windows(2) {
            take(Svma(run[0])..Svma(run[1]), &content.inline_stack(run[0]))?;
        }
    }
    Ok(())
}
