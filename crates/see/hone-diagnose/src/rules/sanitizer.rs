//! The program checks itself with a sanitizer.

use super::binaries::marked;
use super::{Rule, Saves, source};
use crate::facts::Mark;
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;

pub(super) const RULE: Rule = Rule {
    name: "sanitizer",
    title: "The program was built with a sanitizer",
    needs: &[Need::Code],
    threshold: 0.05,
    source: source::OURS,
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "since AddressSanitizer doubles the time, as its manual says; others take more",
    saves: Saves::Unknown,
    confidence: Confidence::High,
    levers: &[],
    change: "Build without -fsanitize for production.",
    not_when: "It is a build for tests that was recorded on purpose.",
    look,
};

const SANITIZERS: [Mark; 4] = [
    Mark::AddressSanitizer,
    Mark::ThreadSanitizer,
    Mark::MemorySanitizer,
    Mark::UndefinedBehaviorSanitizer,
];

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    marked(rule, inspected, &SANITIZERS)
}
