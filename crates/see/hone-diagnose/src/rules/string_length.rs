//! Time in strlen and its like.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "strlen",
    "__strlen*",
    "strnlen",
    "__strnlen*",
    "wcslen",
    "__wcslen*",
    "rawmemchr",
    "__rawmemchr*",
];

pub(super) const RULE: Rule = Rule {
    name: "string-length",
    title: "Much time goes into measuring strings",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if lengths were known",
    saves: Saves::Around,
    confidence: Confidence::High,
    levers: &[],
    change: "Keep the length beside the string (std::string_view), and take strlen out of loop conditions.",
    not_when: "The strings come from outside and each is measured once.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Running, FUNCTIONS))
}
