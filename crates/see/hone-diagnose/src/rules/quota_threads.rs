//! More busy threads than the CPU quota has CPUs: together the threads use up the quota early in each period, and then all wait.
//!
//! Threads that are unequally busy count as the number of equally busy threads that would give the same: the inverse of
//! the sum of the squares of their shares, as for the number of firms in a market or of parties in a parliament (Laakso
//! and Taagepera, "Effective number of parties", 1979).

use super::cpu_quota::{evidence, throttled};
use super::{Rule, Saves, source, tuners};
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use rustc_hash::FxHashMap;

/// Share of held-up periods up to which the threads do no harm.
const THROTTLED_MIN: f64 = 0.05;

pub(super) const RULE: Rule = Rule {
    name: "quota-threads",
    title: "More threads are busy than the CPU quota has CPUs",
    needs: &[Need::Machine],
    threshold: 0.3,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "in time to answer and not in throughput, if no thread was held up in the midst of its work",
    saves: Saves::Unknown,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Start as many workers as the quota has CPUs (GOMAXPROCS, OMP_NUM_THREADS, the size of the pool): nproc and std::thread::hardware_concurrency count the machine's. Or raise the quota.",
    not_when: "Only throughput matters, which the quota decides alone.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let quota = inspected.machine.cpu_quota.as_ref()?;
    if throttled(quota).low <= THROTTLED_MIN {
        return None;
    }
    let mut threads: FxHashMap<(i32, i32), u64> = FxHashMap::default();
    for stack in &inspected.stacks.stacks {
        *threads.entry((stack.pid, stack.tid)).or_default() += stack.weight;
    }
    let all = inspected.weight().max(1) as f64;
    let squares: f64 = threads
        .values()
        .map(|&weight| (weight as f64 / all).powi(2))
        .sum();
    let busy = 1.0 / squares.max(f64::MIN_POSITIVE);
    // A program has at least one thread.
    let cpus = quota.cpus().ceil().max(1.0);
    let too_many = (1.0 - cpus / busy).max(0.0);
    let mut finding = rule.finding(inspected.share((too_many * all) as u64))?;
    let what = format!(
        "{} threads ran, as busy together as {busy:.1} that are equally busy; the quota is {:.2} CPUs",
        threads.len(),
        quota.cpus()
    );
    finding.evidence = vec![Evidence { what, share: None }];
    finding.evidence.extend(evidence(quota));
    finding.change = tuners::with_cpu(rule.change, inspected);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::super::cpu_quota::tests::quota;
    use crate::testing::{inspected, marked_program};
    use crate::{Inspected, Mark, diagnose};

    /// Makes a recording of `threads` equally busy threads, held up in `throttled` of 100 periods of half a CPU.
    fn held_up(threads: i32, throttled: u64) -> Inspected {
        let names: Vec<String> = (0..threads).map(|tid| format!("main;work{tid}")).collect();
        let folded: Vec<(&str, u64)> = names.iter().map(|name| (name.as_str(), 600)).collect();
        let mut inspected = inspected(&folded);
        for (tid, stack) in (1..).zip(&mut inspected.stacks.stacks) {
            stack.tid = tid;
        }
        inspected.machine.cpu_quota = Some(quota(throttled, 1_000_000));
        inspected
    }

    /// Returns the rules with a finding about such a recording.
    fn found(threads: i32, throttled: u64) -> Vec<&'static str> {
        let findings = diagnose(&held_up(threads, throttled)).findings;
        let mut rules: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
        rules.sort_unstable();
        rules
    }

    #[test]
    fn threads_beyond_the_quota_are_found_where_it_holds_them_up() {
        assert_eq!(found(4, 90), ["cpu-quota", "quota-threads"]);
        assert_eq!(found(4, 20), ["quota-threads"]);
        assert_eq!(found(1, 90), ["cpu-quota"], "one thread cannot be fewer");
        assert_eq!(found(4, 2), [""; 0], "hardly ever held up");
    }

    #[test]
    fn a_program_in_go_is_told_of_the_tuner_and_others_are_not() {
        let mut inspected = held_up(4, 20);
        let to_others = diagnose(&inspected).findings.remove(0).change;
        inspected.binaries = vec![marked_program(Mark::Go, inspected.weight())];
        let to_go = diagnose(&inspected).findings.remove(0).change;
        assert!(to_go.contains("defer tune.CPU("), "{to_go}");
        assert!(
            to_go.ends_with(&to_others) && to_others.starts_with("Start as many"),
            "{to_others}"
        );
    }
}
