//! Threads that wait by going round in circles.

use super::spots::{finding, in_loops, own_functions};
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::{Inspected, Where};
use iced_x86::Mnemonic;

const YIELDS: &[&str] = &[
    "sched_yield",
    "__sched_yield",
    "__x64_sys_sched_yield",
    "runtime.osyield*",
    "runtime.procyield*",
];

pub(super) const RULE: Rule = Rule {
    name: "busy-spin",
    title: "Threads wait by spinning",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if waiting threads slept; others on the machine gain too",
    saves: Saves::Kernel,
    confidence: Confidence::High,
    levers: &[],
    change: "Wait on a condition variable, futex or eventfd, or spin for a bounded number of rounds and then sleep.",
    not_when: "The thread has a CPU of its own and latency is worth it.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let yields = inspected.named(Where::Anywhere, YIELDS);
    let spots = in_loops(own_functions(inspected), |around| {
        let mut codes = around.body.iter().map(|instruction| &instruction.code);
        codes.any(|code| code.mnemonic() == Mnemonic::Pause)
    });
    let pauses: u64 = spots.iter().map(|spot| spot.weight).sum();
    if yields.weight > pauses {
        return rule.of_group(&yields);
    }
    let mut finding = finding(rule, inspected, spots)?;
    finding.evidence.push(Evidence {
        what: "loops with the instruction pause".to_owned(),
        share: None,
    });
    Some(finding)
}
