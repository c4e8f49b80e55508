//! Cold code between the hot blocks of hot functions.

use super::spots::of_layouts;
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;

/// Share of code that ran, from the first to the last block that ran, below which a function is sparse.
const DENSITY: f64 = 0.25;
/// Smallest number of bytes of cold code in a function that is reported.
const BYTES_MIN: u64 = 1024;

pub(super) const RULE: Rule = Rule {
    name: "cold-code",
    title: "Code that never runs lies between the blocks of hot functions",
    needs: &[Need::Code],
    threshold: 0.20,
    source: source::OURS,
    factor: 1.1,
    factor_max: f64::INFINITY,
    assumption: "if the hot blocks lay together, as block layouts gain on large programs",
    saves: Saves::Unknown,
    confidence: Confidence::Low,
    levers: &["pgo", "autofdo", "propeller", "bolt"],
    change: "Move rare cases into functions of their own, marked cold; hone inspect lists the functions.",
    not_when: "All the hot code fits into the instruction cache anyway.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_layouts(rule, inspected, |laid| {
        let inside = laid.cold_bytes_inside - laid.error_bytes_inside;
        let density = laid.hot_bytes as f64 / (laid.hot_bytes + inside).max(1) as f64;
        density < DENSITY && inside >= BYTES_MIN
    })
}
