//! Writes counts as BOLT's pre-aggregated profile, for `perf2bolt -pa` or `llvm-bolt -pa`.
//!
//! There is one line for each branch (`B from to count mispredicted`) and for each range that ran through
//! (`F first last count`), with hexadecimal addresses as the ELF file states them. If control came into a range
//! from another function, usually by a return, the line starts with `f`: BOLT then also counts the step from the
//! call before the range.
//!
//! Addresses carry no build id. BOLT 19 reads `build-id:offset` and ignores the id, even a wrong id, so the id
//! would protect nobody and make the file several times larger. BOLT 19 has no line for plain samples either:
//! [`crate::bolt_fdata`] writes plain samples.

use crate::code::Code;
use crate::counts::{Counts, add};
use hone_profile::Svma;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Writes the branches and the ranges, without the places that control came from.
pub fn write(counts: &Counts) -> String {
    let mut text = String::new();
    write_branches(counts, &mut text);
    for (&range, &count) in &counts.ranges {
        write_range('F', range, count, &mut text);
    }
    text
}

/// Writes the branches and the ranges; ranges entered from another function have lines of their own.
pub fn write_with_origins(counts: &Counts, code: &Code<'_>) -> String {
    let origins = Origins::of(counts, code);
    let mut text = String::new();
    write_branches(counts, &mut text);
    for (&range, &count) in &counts.ranges {
        let outside = origins.entered_from_outside(range.0, count);
        write_range('F', range, count - outside, &mut text);
        write_range('f', range, outside, &mut text);
    }
    text
}

fn write_branches(counts: &Counts, text: &mut String) {
    for ((from, to), count) in &counts.branches {
        let (taken, missed) = (count.taken, count.mispredicted);
        let _ = writeln!(text, "B {from:x} {to:x} {taken} {missed}");
    }
}

fn write_range(kind: char, (first, last): (Svma, Svma), count: u64, text: &mut String) {
    if count > 0 {
        let _ = writeln!(text, "{kind} {first:x} {last:x} {count}");
    }
}

/// Origins of control, by the address at which control arrived.
pub(crate) struct Origins {
    /// Number of branches (from another function or binary, from anywhere).
    by_target: FxHashMap<Svma, (u64, u64)>,
}

impl Origins {
    pub(crate) fn of(counts: &Counts, code: &Code<'_>) -> Self {
        let function = |svma| code.binary().function_at(svma).map(|f| f.start);
        let mut by_target: FxHashMap<Svma, (u64, u64)> = FxHashMap::default();
        for (&(from, to), count) in &counts.branches {
            let (outside, all) = by_target.entry(to).or_default();
            add(all, count.taken);
            if function(from) != function(to) {
                add(outside, count.taken);
            }
        }
        for (&to, &taken) in &counts.entering {
            let (outside, all) = by_target.entry(to).or_default();
            add(all, taken);
            add(outside, taken);
        }
        Self { by_target }
    }

    /// Returns how many of the `count` runs from `first` came from outside the function: the same share as among
    /// the branches to `first`.
    pub(crate) fn entered_from_outside(&self, first: Svma, count: u64) -> u64 {
        let (outside, all) = self.by_target.get(&first).copied().unwrap_or_default();
        let part = u128::from(count) * u128::from(outside) / u128::from(all.max(1));
        u64::try_from(part).unwrap_or(count).min(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::BranchCount;
    use hone_profile::Svma;

    #[test]
    fn one_line_for_each_branch_and_range() {
        let mut counts = Counts::default();
        counts.branches.insert(
            (Svma(0x1010), Svma(0x2000)),
            BranchCount {
                taken: 7,
                mispredicted: 1,
            },
        );
        counts.ranges.insert((Svma(0x2000), Svma(0x201f)), 6);
        assert_eq!(write(&counts), "B 1010 2000 7 1\nF 2000 201f 6\n");
    }
}
