//! Time in looking up thread-local variables of shared libraries.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "__tls_get_addr*",
    "___tls_get_addr*",
    "update_get_addr",
    "_dl_update_slotinfo",
    "tls_get_addr_tail",
];

pub(super) const RULE: Rule = Rule {
    name: "thread-locals",
    title: "Thread-local variables are reached by calls",
    needs: &[],
    threshold: 0.02,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: 10.0,
    assumption: "if they were reached by an offset",
    saves: Saves::Around,
    confidence: Confidence::High,
    levers: &["local-exec", "static"],
    change: "Link the code into the program, or compile the library with -ftls-model=initial-exec where it is never loaded by dlopen; take the address once per function.",
    not_when: "The library is loaded by dlopen and must stay so.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Running, FUNCTIONS))
}
