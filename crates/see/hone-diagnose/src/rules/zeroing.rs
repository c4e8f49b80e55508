//! Time in memset.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "memset",
    "__memset*",
    "bzero",
    "__bzero*",
    "runtime.memclr*",
];

pub(super) const RULE: Rule = Rule {
    name: "zeroing",
    title: "Much time goes into clearing memory",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if nothing had to be cleared",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &["memops+autofdo-probes"],
    change: "Clear what is used and not the whole buffer, once and not per call; reuse what is clear already.",
    not_when: "The clearing protects secrets.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Running, FUNCTIONS))
}
