//! Threads that wait by going round in circles.

use super::spots::{Spot, finding, own_functions};
use super::{Rule, source};
use crate::finding::{Confidence, Evidence, Finding};
use crate::inspected::{Inspected, Where};
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
    threshold: 0.05,
    source: source::OURS,
    factor: f64::INFINITY,
    assumption: "if waiting threads slept; others on the machine gain too",
    confidence: Confidence::High,
    levers: &[],
    change: "Wait on a condition variable, futex or eventfd, or spin for a bounded number of rounds and then sleep.",
    not_when: "The thread has a CPU of its own and latency is worth it.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let yields = inspected.named(Where::Anywhere, YIELDS);
    let spots = own_functions(inspected).map(|(binary, function)| {
        let spinning = function.loops().into_iter().filter(|around| {
            around
                .body
                .iter()
                .any(|instruction| instruction.code.mnemonic() == Mnemonic::Pause)
        });
        let spinning: Vec<_> = spinning.collect();
        Spot {
            binary,
            function,
            weight: spinning.iter().map(|around| around.weight).sum(),
            line: spinning
                .iter()
                .max_by_key(|around| around.weight)
                .and_then(|around| around.hottest_line()),
        }
    });
    let spots: Vec<Spot<'_>> = spots.collect();
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
