//! The program was compiled without optimisation.

use super::Rule;
use super::spots::{Spot, finding, own_functions};
use crate::finding::{Confidence, Finding};
use crate::inspected::Inspected;

/// At this share of the program's hot code it is the build and not a file of it.
pub(super) const WHOLE_BUILD: f64 = 0.8;

pub(super) const RULE: Rule = Rule {
    name: "debug-build",
    title: "The program was compiled without optimisation",
    threshold: 0.10,
    source: "a tenth of the time in such code is worth a change of one flag",
    factor: 3.0,
    assumption: "if optimised code is three times as fast, as is usual for C++",
    confidence: Confidence::High,
    levers: &[],
    change: "Build with -O2 (CMAKE_BUILD_TYPE=RelWithDebInfo, cargo build --release).",
    not_when: "It is a debug build that was recorded on purpose.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    if unoptimised_part(inspected) < WHOLE_BUILD {
        return None;
    }
    finding(rule, inspected, unoptimised(inspected))
}

/// Which part of the time in own hot functions is in unoptimised ones.
pub(super) fn unoptimised_part(inspected: &Inspected) -> f64 {
    let all: u64 = own_functions(inspected)
        .map(|(_, function)| function.weight)
        .sum();
    let part: u64 = unoptimised(inspected).iter().map(|spot| spot.weight).sum();
    part as f64 / all.max(1) as f64
}

/// Own functions that were compiled without optimisation.
pub(super) fn unoptimised(inspected: &Inspected) -> Vec<Spot<'_>> {
    let functions = own_functions(inspected).filter(|(_, function)| function.is_unoptimised());
    let spots = functions.map(Spot::whole);
    spots.collect()
}
