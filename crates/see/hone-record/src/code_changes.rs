//! Changes of code, so that a walk through code that was no longer there can be thrown away.
//!
//! A walker keeps decoded code until it reads about a change in its ring, but the record of the change may lie in
//! another ring for a moment. When a walk is written, all changes before the walk are known.

use crate::walker::Walk;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Upper limit of the time that the record of a change lies in a ring.
const KEPT_NS: u64 = 5_000_000_000;

/// Changes of the code of processes.
#[derive(Default)]
pub(crate) struct CodeChanges {
    by_process: FxHashMap<i32, Vec<(u64, Range<u64>)>>,
    /// Times at which threads were born.
    births: FxHashMap<i32, u64>,
}

impl CodeChanges {
    /// Notes that code was mapped into a range, or that the whole program was replaced.
    pub(crate) fn note(&mut self, pid: i32, time_ns: u64, range: Range<u64>) {
        let changes = self.by_process.entry(pid).or_default();
        changes.retain(|(then_ns, _)| then_ns + KEPT_NS > time_ns);
        changes.push((time_ns, range));
    }

    /// Notes that a thread was born, perhaps with the number of an earlier thread.
    pub(crate) fn note_birth(&mut self, tid: i32, time_ns: u64) {
        self.births.insert(tid, time_ns);
    }

    /// Returns true if code that a walk went through changed between the moment the code was read and the walk, or if the
    /// thread was born in between.
    pub(crate) fn belie(&self, walk: &Walk) -> bool {
        let Some(first) = walk.branches.first() else {
            return false;
        };
        let meanwhile = |time_ns: &u64| (walk.code_since_ns..first.time_ns).contains(time_ns);
        if self.births.get(&walk.tid).is_some_and(meanwhile) {
            return true;
        }
        let changes = self.by_process.get(&walk.pid).into_iter().flatten();
        changes
            .filter(|(time_ns, _)| meanwhile(time_ns))
            .any(|(_, range)| {
                walk.branches
                    .iter()
                    .any(|branch| range.contains(&branch.from) || range.contains(&branch.to))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walker::{End, Taken};
    use hone_profile::ThirdArgument;

    fn walk(code_since_ns: u64, time_ns: u64) -> Walk {
        Walk {
            pid: 7,
            tid: 7,
            cpu: 0,
            branches: vec![Taken {
                from: 0x1010,
                to: 0x1020,
                third_argument: ThirdArgument::UNKNOWN,
                time_ns,
            }],
            steps: 2,
            end: End::Length,
            met: None,
            code_since_ns,
        }
    }

    #[test]
    fn only_a_change_under_the_walk_and_in_its_time_counts() {
        let mut changes = CodeChanges::default();
        changes.note(7, 500, 0x1000..0x2000);
        assert!(changes.belie(&walk(400, 600)));
        assert!(!changes.belie(&walk(501, 600)), "read after the change");
        assert!(!changes.belie(&walk(400, 450)), "walked before it");
        changes.note(8, 700, 0..u64::MAX);
        changes.note(7, 800, 0x5000..0x6000);
        assert!(!changes.belie(&walk(750, 900)), "other code");
        changes.note(7, 850, 0..u64::MAX);
        assert!(changes.belie(&walk(750, 900)), "another program");
        changes.note_birth(7, 910);
        assert!(!changes.belie(&walk(920, 950)) && changes.belie(&walk(905, 950)));
    }
}
