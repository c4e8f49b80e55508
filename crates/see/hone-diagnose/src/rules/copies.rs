//! Time in memcpy and memmove.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::patterns::COPIES;
use crate::subject::{Inspected, Where};

pub(super) const RULE: Rule = Rule {
    name: "copies",
    title: "Much time goes into copying memory",
    needs: &[],
    threshold: 0.05,
    source: source::TAX,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if the copies were not made at all",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &["memops+autofdo-probes"],
    change: "Pass by reference or move where the callers copy; write into place; reserve before growing.",
    not_when: "Moving bytes is what the program is for: then see whether it can move fewer.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Running, COPIES))
}
