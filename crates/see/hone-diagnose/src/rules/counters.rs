//! The program counts for a profile or for coverage.

use super::binaries::marked;
use super::{Rule, Saves, source};
use crate::facts::Mark;
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;

pub(super) const RULE: Rule = Rule {
    name: "counters",
    title: "The program was built to count for a profile or for coverage",
    needs: &[Need::Code],
    threshold: 0.05,
    source: source::OURS,
    factor: 1.5,
    factor_max: f64::INFINITY,
    assumption: "since counters take a third of the time of many programs, and more of those with threads",
    saves: Saves::Unknown,
    confidence: Confidence::High,
    levers: &[],
    change: "Build without -fprofile-generate, -fprofile-instr-generate, --coverage and -pg for production.",
    not_when: "It is a training or test run that was recorded on purpose.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    marked(rule, inspected, &[Mark::Counters])
}
