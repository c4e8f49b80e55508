//! Cycles without instructions to work on. The rule needs the CPU's counters: `perf record -e cycles:u,stalled-cycles-frontend:u`.

use super::{Rule, Saves, of_counter};
use crate::finding::{Confidence, Finding};
use crate::hardware::Counter;
use crate::subject::Inspected;
use crate::sums::Need;

pub(super) const RULE: Rule = Rule {
    name: "front-end",
    title: "The CPU waits for instructions",
    needs: &[Need::Counters],
    threshold: 0.15,
    source: "Intel's top-down method speaks of a front-end bound program from 15 % of the slots on",
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "if half of the waiting went away",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &["pgo", "function-order", "bolt", "huge-text"],
    change: "Make the hot code smaller (-Os for cold files, fewer inlined copies) and lay it out by use.",
    not_when: "Most of it follows mispredicted branches, which empty the pipeline too: mend those first.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_counter(rule, inspected, Counter::FrontEndStalls, 1.0)
}
