//! Small functions that are called and not inlined.

use super::spots::{Spot, finding, optimised_functions, targets};
use super::{Rule, Saves, source};
use crate::code::HotFunction;
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use hone_profile::Svma;
use iced_x86::FlowControl;

/// Size in bytes below which inliners take a function readily.
const TINY: u64 = 64;

/// Smallest share of all time of each function.
const HOT: f64 = 0.02;

pub(super) const RULE: Rule = Rule {
    name: "tiny-functions",
    title: "Tiny functions are called and not inlined",
    needs: &[Need::Code],
    threshold: 0.08,
    source: source::OURS,
    factor: 2.0,
    factor_max: 16.0,
    assumption: "if the call was half of what they cost",
    saves: Saves::Around,
    confidence: Confidence::Medium,
    levers: &["thinlto", "lto", "pgo"],
    change: "Define them in the header, or build with link-time optimisation, so that calls from other files are inlined.",
    not_when: "They are replaced at run time, or belong to a library with a fixed interface.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let called = targets(inspected, &[FlowControl::Call]);
    let is_hot = |weight: u64| weight as f64 >= HOT * inspected.weight() as f64;
    let tiny = optimised_functions(inspected).filter(|(binary, function)| {
        is_hot(function.weight)
            && is_tiny(function)
            && called.contains(&(binary.path.as_str(), function.start.0))
    });
    let spots = tiny.map(Spot::whole);
    finding(rule, inspected, spots.collect())
}

/// True if the function is short and straight and calls no other function.
pub(super) fn is_tiny(function: &HotFunction) -> bool {
    let stays =
        |at: u64| (function.start..Svma(function.start.0 + function.size)).contains(&Svma(at));
    let is_straight = function.instructions.iter().all(|instruction| {
        let code = &instruction.code;
        match code.flow_control() {
            FlowControl::Call
            | FlowControl::IndirectCall
            | FlowControl::IndirectBranch
            | FlowControl::Interrupt => false,
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                let to = code.near_branch_target();
                stays(to) && to > code.ip()
            }
            _ => true,
        }
    });
    function.size < TINY && !function.instructions.is_empty() && is_straight
}
