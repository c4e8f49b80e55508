//! Branches that the CPU guesses wrong. The rule needs the CPU's counters: `perf record -e cycles:u,branch-misses:u`.

use super::{Rule, Saves, of_counter};
use crate::finding::{Confidence, Finding};
use crate::hardware::Counter;
use crate::subject::Inspected;
use crate::sums::Need;

/// Cycles of a mispredicted branch: 15 to 20 on the cores of the last ten years (Agner Fog, "The microarchitecture of
/// Intel, AMD and VIA CPUs", sections on branch prediction).
const CYCLES: f64 = 18.0;

pub(super) const RULE: Rule = Rule {
    name: "mispredicts",
    title: "Many branches go another way than the CPU guesses",
    needs: &[Need::Counters],
    threshold: 0.10,
    source: "Intel's top-down method speaks of bad speculation from a tenth of the slots on",
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "if half of them were guessed right, at 18 cycles for a wrong one",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &["pgo", "autofdo"],
    change: "Sort or partition the data that decides, compute both ways and choose (a conditional move), or ask once for many.",
    not_when: "The data is random and each answer is needed at once.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_counter(rule, inspected, Counter::BranchMisses, CYCLES)
}
