//! Time in reference counts that threads could share.

use super::{Rule, source};
use crate::finding::{Confidence, Finding};
use crate::inspected::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "std::_Sp_counted_base::*",
    "std::__shared_count::*",
    "std::__weak_count::*",
    "__gnu_cxx::__exchange_and_add*",
    "__gnu_cxx::__atomic_add*",
    "<alloc::sync::Arc*",
    "alloc::sync::Arc::drop_slow",
    "std::__1::__shared_count*",
    "std::__1::__shared_weak_count*",
];

pub(super) const RULE: Rule = Rule {
    name: "reference-counts",
    title: "Much time goes into counting references",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: f64::INFINITY,
    assumption: "if no counts were touched",
    confidence: Confidence::Medium,
    levers: &[],
    change: "Pass the object by reference where the callee does not keep it; move instead of copying the pointer; in Rust borrow instead of cloning an Arc.",
    not_when: "The callee keeps the pointer beyond the call.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Running, FUNCTIONS))
}
