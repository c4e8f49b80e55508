//! Some files of an optimised program were compiled without optimisation.

use super::debug_build::{WHOLE_BUILD, unoptimised, unoptimised_part};
use super::spots::finding;
use super::{Rule, source};
use crate::finding::{Confidence, Finding};
use crate::inspected::Inspected;

pub(super) const RULE: Rule = Rule {
    name: "unoptimised-file",
    title: "Some files were compiled without optimisation",
    threshold: 0.02,
    source: source::OURS,
    factor: 3.0,
    assumption: "if optimised code is three times as fast, as is usual for C++",
    confidence: Confidence::High,
    levers: &[],
    change: "See which flags these files get: a forgotten -O0, an override for one target, a library built for \
             debugging.",
    not_when: "A compiler's fault made it necessary.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    if unoptimised_part(inspected) >= WHOLE_BUILD {
        return None;
    }
    finding(rule, inspected, unoptimised(inspected))
}
