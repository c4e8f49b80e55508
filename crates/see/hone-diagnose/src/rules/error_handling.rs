//! More code for errors than for work, inside hot functions.

use super::spots::of_layouts;
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;

/// Smallest number of bytes of error handling in a function that is reported.
const BYTES_MIN: u64 = 512;

pub(super) const RULE: Rule = Rule {
    name: "error-handling",
    title: "Hot functions hold more code for errors than for work",
    needs: &[Need::Code],
    threshold: 0.20,
    source: source::OURS,
    factor: 1.1,
    factor_max: f64::INFINITY,
    assumption: "if the hot blocks lay together, as block layouts gain on large programs",
    saves: Saves::Unknown,
    confidence: Confidence::Low,
    levers: &["pgo", "autofdo", "propeller", "bolt"],
    change: "Build messages and throw in functions of their own, marked cold and never inlined.",
    not_when: "All the hot code fits into the instruction cache anyway.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_layouts(rule, inspected, |laid| {
        laid.error_bytes_inside >= BYTES_MIN && laid.error_bytes_inside > laid.hot_bytes
    })
}
