//! Counts as BOLT's pre-aggregated profile, for `perf2bolt -pa` or `llvm-bolt -pa`.
//!
//! One line for each branch (`B from to count mispredicted`) and for each range that ran through
//! (`F first last count`), with hexadecimal addresses of the file's own view.

use crate::counts::Counts;
use std::fmt::Write;

/// Writes the branches and the ranges. The text carries no build id: BOLT takes addresses without one as
/// those of the binary that it is given.
pub fn write(counts: &Counts) -> String {
    let mut text = String::new();
    for ((from, to), count) in &counts.branches {
        let (from, to) = (from.0, to.0);
        writeln!(
            text,
            "B {from:x} {to:x} {} {}",
            count.taken, count.mispredicted
        )
        .expect("a string takes everything");
    }
    for ((first, last), count) in &counts.ranges {
        writeln!(text, "F {:x} {:x} {count}", first.0, last.0).expect("a string takes everything");
    }
    text
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
