//! Calls through pointers whose callees do little.

use super::spots::{Spot, finding, optimised_functions, targets};
use super::tiny_functions::is_tiny;
use super::{Rule, Saves, source};
use crate::code::{CodeInstruction, HotFunction};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use iced_x86::FlowControl;

/// Number of instructions before a call that load its target: the object's table, then the entry in the table.
const LOADS: usize = 2;

pub(super) const RULE: Rule = Rule {
    name: "indirect-calls",
    title: "Calls through pointers lead to small functions",
    needs: &[Need::Code],
    threshold: 0.10,
    source: source::GAIN,
    factor: 2.0,
    factor_max: 16.0,
    assumption: "if the usual target was inlined behind a comparison",
    saves: Saves::Around,
    confidence: Confidence::Low,
    levers: &["autofdo", "pgo", "icp", "wpd"],
    change: "Mark classes final, sort objects by kind, or take a template parameter instead of a function pointer.",
    not_when: "Targets change from call to call, so that no comparison guesses them.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let called = targets(
        inspected,
        &[FlowControl::Call, FlowControl::UnconditionalBranch],
    );
    let spots: Vec<Spot<'_>> = optimised_functions(inspected)
        .map(|(binary, function)| {
            let is_target =
                is_tiny(function) && !called.contains(&(binary.path.as_str(), function.start.0));
            match is_target {
                true => Spot::whole((binary, function)),
                false => Spot::of((binary, function), &at_calls(function)),
            }
        })
        .collect();
    // Small functions without a visible caller are no evidence if there are no calls through pointers.
    let has_calls = spots.iter().any(|spot| {
        let mut at_calls = at_calls(spot.function).into_iter();
        at_calls.any(|instruction| instruction.weight > 0)
    });
    has_calls.then(|| finding(rule, inspected, spots)).flatten()
}

/// Returns calls through pointers and the instructions that load their targets.
fn at_calls(function: &HotFunction) -> Vec<&CodeInstruction> {
    let mut found = Vec::new();
    let mut counted = 0;
    for (index, instruction) in function.instructions.iter().enumerate() {
        if instruction.code.flow_control() == FlowControl::IndirectCall
            && !instruction.code.is_ip_rel_memory_operand()
        {
            // If two calls are close together, no instruction counts twice.
            let from = index.saturating_sub(LOADS).max(counted);
            counted = index + 1;
            found.extend(&function.instructions[from..=index]);
        }
    }
    found
}
