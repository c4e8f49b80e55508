//! Exceptions as control flow.

use super::{Rule, source};
use crate::finding::{Confidence, Finding};
use crate::inspected::{Inspected, Where};

/// libgcc_s unwinds; what has a name in it and does something else is exported and is not in brackets.
const FUNCTIONS: &[&str] = &[
    "[libgcc_s.so*",
    "__cxa_throw",
    "__cxa_rethrow",
    "__cxa_begin_catch",
    "__cxa_end_catch",
    "__cxa_allocate_exception",
    "__cxa_free_exception",
    "_Unwind_*",
    "__gxx_personality_v0",
    "_dl_find_object*",
    "__dl_find_object*",
    "dl_iterate_phdr",
    "__dl_iterate_phdr",
    "uw_*",
    "execute_cfa_program*",
    "rust_panic*",
    "std::panicking::*",
];

pub(super) const RULE: Rule = Rule {
    name: "exceptions",
    title: "Exceptions are thrown in hot code",
    threshold: 0.02,
    source: source::OURS,
    factor: f64::INFINITY,
    assumption: "if nothing was thrown",
    confidence: Confidence::High,
    levers: &[],
    change: "Return std::optional, std::expected or an error code where failure is usual; libgcc of GCC 13 with glibc 2.35 at least takes no lock while unwinding.",
    not_when: "The recording is of a moment of failure.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
