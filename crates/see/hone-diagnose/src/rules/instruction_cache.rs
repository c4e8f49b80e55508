//! Code that has to be fetched from the second-level cache. The rule needs the CPU's counters: `perf record -e
//! cycles:u,L1-icache-load-misses:u`.

use super::{Rule, Saves, of_counter};
use crate::finding::{Confidence, Finding};
use crate::hardware::Counter;
use crate::subject::Inspected;
use crate::sums::Need;

/// Cycles of a miss that the second-level cache answers: 12 to 15 (Agner Fog; Intel's and AMD's optimisation manuals).
const CYCLES: f64 = 14.0;

pub(super) const RULE: Rule = Rule {
    name: "instruction-cache",
    title: "The CPU waits for code that is not in its instruction cache",
    needs: &[Need::Counters],
    threshold: 0.10,
    source: "Intel's top-down method speaks of a front-end bound program from 15 % of the slots on, of which misses are a part",
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "if half of the misses went away, at 14 cycles for one",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &["function-order", "propeller", "bolt", "pgo"],
    change: "Look at hone inspect; call what belongs together in turn, not everything for each item.",
    not_when: "The CPU fetches ahead so well that it works meanwhile: then front-end stays silent.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_counter(rule, inspected, Counter::InstructionMisses, CYCLES)
}
