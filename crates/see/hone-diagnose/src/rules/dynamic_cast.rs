//! Time in dynamic_cast.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "__dynamic_cast",
    "__cxxabiv1::__class_type_info::__do_dyncast",
    "__cxxabiv1::__si_class_type_info::__do_dyncast",
    "__cxxabiv1::__vmi_class_type_info::__do_dyncast",
];

pub(super) const RULE: Rule = Rule {
    name: "dynamic-cast",
    title: "Much time goes into dynamic_cast",
    needs: &[],
    threshold: 0.02,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: 20.0,
    assumption: "if a virtual call or a tag answered",
    saves: Saves::Calls,
    confidence: Confidence::High,
    levers: &["lto"],
    change: "Ask a virtual function or a kind stored in the base class; mark leaf classes final; cast once and keep the result.",
    not_when: "The classes cross library borders that cannot change.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
