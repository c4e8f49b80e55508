//! A Go program that collects garbage whenever its heap has doubled, though most of the memory that it may use is idle.
//!
//! Go's guide to its collector (<https://go.dev/doc/gc-guide>) gives the model: a cycle costs as much as marking the
//! live heap costs, and cycles are as far apart as the heap may grow between them. The collector's time is therefore
//! inversely proportional to that headroom, and more memory means less collecting. With `GOGC` = g per cent the heap
//! may grow to 1 + g/100 of the live heap. The live heap is estimated as the peak resident size divided by that factor,
//! which is too much rather than too little, since the peak includes the run time's own memory.
//!
//! The memory that the program may use is recorded: the tightest limit of its cgroups less what they have in use, or
//! `GOMEMLIMIT`. Without any limit the machine's free memory counts, which was idle too, but which nobody has promised
//! to the program: there the advice, and so the gain, is limited to a larger `GOGC`.

use super::{FUNCTIONS_MAX, Rule, Saves, tuners};
use crate::finding::{Confidence, Evidence, Finding};
use crate::patterns::GO_COLLECTOR;
use crate::share::speedup;
use crate::subject::{Inspected, Where};
use crate::sums::Need;
use hone_profile::MemoryUse;

/// Smallest factor by which the collector must be able to run less often: with `GOGC=100`, that of a program that may
/// use twice its peak.
const FACTOR_MIN: f64 = 3.0;
/// Part of a limit that Go's heap may take; the rest is for memory that Go does not count. automemlimit takes the same
/// part, and a tenth is the upper end of the 5 to 10 % that Go's guide leaves free.
const PART_OF_LIMIT: f64 = 0.9;
/// `GOGC` that is advised without any limit.
const PERCENT_RAISED: u64 = 400;

pub(super) const RULE: Rule = Rule {
    name: "go-collector",
    title: "Go's garbage collector is far more eager than memory limits ask",
    needs: &[Need::Machine],
    threshold: 0.1,
    source: "Datadog and others flag garbage collection from 10 % on",
    factor: FACTOR_MIN,
    factor_max: f64::INFINITY,
    assumption: "if the heap took the memory that it may: the collector's time is inversely proportional to the heap's headroom",
    saves: Saves::Time,
    confidence: Confidence::High,
    levers: &[],
    change: "Raise GOGC, and set GOMEMLIMIT to nine tenths of the memory limit.",
    not_when: "The program sets its own pace (debug.SetGCPercent, debug.SetMemoryLimit, runtime.GC), or the idle memory is kept for bursts or for others.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let (weight, memory) = heaviest(inspected)?;
    let room = Room::of(memory).filter(|room| room.factor >= FACTOR_MIN)?;
    let mut finding = rule.finding(inspected.share(weight))?;
    if let Some(gain) = &mut finding.gain {
        gain.speedup_estimate = speedup(finding.share.share, room.factor);
        gain.factor = room.factor;
    }
    if room.bound == Bound::Machine {
        finding.confidence = Confidence::Medium;
    }
    let group = inspected.named(Where::Anywhere, GO_COLLECTOR);
    finding.claim.stacks = group.stacks;
    let functions = group.functions.into_iter().map(|(name, _)| name);
    finding.functions = functions.take(FUNCTIONS_MAX).collect();
    finding.evidence = evidence(inspected, memory, &room);
    finding.change = room.change(memory);
    Some(finding)
}

/// Returns the process whose collector takes the most time, among those whose memory is known, and the weight of that time.
fn heaviest(inspected: &Inspected) -> Option<(u64, &MemoryUse)> {
    let known = &inspected.machine.memory;
    if known.is_empty() {
        return None;
    }
    let weights = inspected.by_process(GO_COLLECTOR);
    let with_weight = known
        .iter()
        .filter_map(|memory| Some((*weights.get(&memory.pid)?, memory)));
    with_weight.max_by_key(|(weight, _)| *weight)
}

/// The bound of a program's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    GoLimit,
    Cgroup,
    Machine,
}

/// Memory that a program could take, and the effect on its collector.
struct Room {
    bound: Bound,
    bytes: f64,
    /// Factor by which the collector would run less often.
    factor: f64,
}

impl Room {
    /// Returns `None` if only the limit makes the collector run already, or if the machine has too little memory for
    /// the raised `GOGC`.
    fn of(memory: &MemoryUse) -> Option<Self> {
        let percent = memory.go_percent?.max(1) as f64;
        let outside = memory.may_use_bytes as f64 * PART_OF_LIMIT;
        let of_go = memory.go_limit_bytes.map(|bytes| bytes as f64);
        let (bound, bytes) = match of_go.filter(|bytes| *bytes <= outside) {
            Some(bytes) => (Bound::GoLimit, bytes),
            None if memory.limit_group.is_empty() => (Bound::Machine, outside),
            None => (Bound::Cgroup, outside),
        };
        let peak = memory.peak_rss_bytes.max(1) as f64;
        let live = peak / (1.0 + percent / 100.0);
        let factor = ((bytes - live) / (peak - live)).max(0.0);
        let raised = PERCENT_RAISED as f64 / percent;
        let factor = match bound {
            Bound::Machine if factor < raised => return None,
            Bound::Machine => raised,
            Bound::GoLimit | Bound::Cgroup => factor,
        };
        Some(Self {
            bound,
            bytes,
            factor,
        })
    }

    fn change(&self, memory: &MemoryUse) -> String {
        let mib = (self.bytes / MIB).floor();
        match self.bound {
            Bound::GoLimit => format!(
                "Set GOGC=off beside GOMEMLIMIT, or raise it: GOMEMLIMIT alone makes no collection rarer. Bursts of \
                live data near the limit cost most with GOGC=off. {}",
                tuners::GC
            ),
            Bound::Cgroup => format!(
                "Set GOMEMLIMIT={mib:.0}MiB, nine tenths of what it may use, with GOGC=off or a GOGC of several hundred: it \
                then collects when the memory is taken and not whenever the heap has doubled. {}",
                tuners::GC
            ),
            Bound::Machine => format!(
                "Set GOGC={PERCENT_RAISED}, which takes about {:.1} times the memory, and GOMEMLIMIT as its bound. Nobody has \
                limited the program: how much it may take is for you to say. {} It needs a limit.",
                growth(memory.go_percent),
                tuners::GC
            ),
        }
    }
}

/// Factor by which the heap grows with the raised `GOGC`.
fn growth(percent: Option<u64>) -> f64 {
    let now = percent.unwrap_or(PERCENT_RAISED);
    (100 + PERCENT_RAISED) as f64 / (100 + now) as f64
}

const MIB: f64 = (1 << 20) as f64;

/// Formats a number of bytes for people.
fn size(bytes: f64) -> String {
    match bytes / MIB {
        mib if mib < 10_000.0 => format!("{:.0} MiB", mib.floor()),
        mib => format!("{:.1} GiB", mib / 1024.0),
    }
}

fn evidence(inspected: &Inspected, memory: &MemoryUse, room: &Room) -> Vec<Evidence> {
    let (peak, may_take) = (size(memory.peak_rss_bytes as f64), size(room.bytes));
    let limit = size(memory.limit_bytes as f64);
    let from = match room.bound {
        Bound::GoLimit => "GOMEMLIMIT in its environment".to_owned(),
        Bound::Cgroup => format!(
            "nine tenths of what the limit of {limit} left it, of the cgroup {}",
            memory.limit_group
        ),
        Bound::Machine => {
            format!("nine tenths of what was free of the machine's {limit}: no limit is tighter")
        }
    };
    let facts = [
        format!("the process took {peak} at its peak; it may take {may_take}"),
        format!("{may_take}: {from}"),
        format!(
            "it collects when the heap has grown by {} % (GOGC in its environment; 100 if nobody says)",
            memory.go_percent.unwrap_or_default()
        ),
    ];
    let facts = facts.map(|what| Evidence { what, share: None });
    let who = who_collects(inspected, memory.pid);
    facts.into_iter().chain(who).collect()
}

/// Returns the shares of the goroutines of a process that do the collector's work, as far as stacks tell.
fn who_collects(inspected: &Inspected, pid: i32) -> Vec<Evidence> {
    let parts = [
        ("its workers in the background", "runtime.gcBgMarkWorker*"),
        (
            "of these, on CPUs that had nothing else to do",
            "runtime.gcDrainMarkWorkerIdle*",
        ),
        (
            "goroutines that have to help before they get memory",
            "runtime.gcAssistAlloc*",
        ),
    ];
    let shares = parts.into_iter().filter_map(|(who, function)| {
        let weight = *inspected.by_process(&[function]).get(&pid)?;
        Some(Evidence {
            what: who.to_owned(),
            share: Some(inspected.share(weight)),
        })
    });
    shares.collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::inspected;
    use crate::{Confidence, Diagnosis, diagnose};
    use hone_profile::MemoryUse;

    const MIB: u64 = 1 << 20;

    /// Makes the memory of a process with a peak of 100 MiB, in a cgroup with a limit of 1000 MiB that no other process uses.
    fn roomy() -> MemoryUse {
        MemoryUse {
            pid: 1,
            peak_rss_bytes: 100 * MIB,
            may_use_bytes: 1000 * MIB,
            limit_bytes: 1000 * MIB,
            limit_group: "/a".into(),
            go_limit_bytes: None,
            go_percent: Some(100),
        }
    }

    /// Diagnoses a recording in which `collector` of 1000 samples are the collector's.
    fn found(collector: u64, memory: Vec<MemoryUse>) -> Diagnosis {
        let mut inspected = inspected(&[
            (
                "runtime.goexit;runtime.gcBgMarkWorker;runtime.gcDrain;runtime.scanObject",
                collector / 2,
            ),
            (
                "main.work;runtime.mallocgc;runtime.gcAssistAlloc;runtime.gcDrainN;runtime.scanObject",
                collector - collector / 2,
            ),
            ("main.work", 1000 - collector),
        ]);
        inspected.machine.memory = memory;
        diagnose(&inspected)
    }

    fn rules(diagnosis: &Diagnosis) -> Vec<&str> {
        let findings = diagnosis.findings.iter();
        findings.map(|finding| finding.rule).collect()
    }

    #[test]
    fn a_collector_that_could_use_idle_memory_is_found_with_what_that_is_worth() {
        let diagnosis = found(300, vec![roomy()]);
        assert_eq!(
            rules(&diagnosis),
            ["go-collector"],
            "and go-memory says it not again"
        );
        let finding = &diagnosis.findings[0];
        assert_eq!(
            (finding.share.samples, finding.confidence),
            (300, Confidence::High)
        );
        // 50 MiB live; 50 MiB between collections become 900 - 50.
        let gain = finding.gain.as_ref().unwrap();
        assert!((gain.factor - 17.0).abs() < 1e-9, "{gain:?}");
        assert!((gain.speedup_estimate - 1.0 / (0.7 + 0.3 / 17.0)).abs() < 1e-9);
        assert!(
            finding.change.contains("GOMEMLIMIT=900MiB"),
            "{}",
            finding.change
        );
        let whats: Vec<&str> = finding.evidence.iter().map(|line| &*line.what).collect();
        assert!(whats[0].contains("100 MiB at its peak"), "{whats:?}");
        assert!(
            whats[1].contains("limit of 1000 MiB") && whats[1].ends_with("/a"),
            "{whats:?}"
        );
        let shares: Vec<f64> = finding.evidence[3..]
            .iter()
            .map(|line| line.share.unwrap().share)
            .collect();
        assert_eq!(shares, [0.15, 0.15]);
    }

    #[test]
    fn it_needs_time_in_the_collector_and_memory_that_stands_idle() {
        // A tenth, give or take what 1000 samples can tell.
        assert_eq!(rules(&found(110, vec![roomy()])), [""; 0]);
        assert_eq!(rules(&found(140, vec![roomy()])), ["go-collector"]);
        let with = |change: fn(&mut MemoryUse)| {
            let mut memory = roomy();
            change(&mut memory);
            rules(&found(140, vec![memory])).len()
        };
        // Twice the peak is the least under GOGC=100, and nine tenths of the memory count.
        assert_eq!(with(|memory| memory.may_use_bytes = 223 * MIB), 1);
        assert_eq!(with(|memory| memory.may_use_bytes = 221 * MIB), 0);
        assert_eq!(with(|memory| memory.go_limit_bytes = Some(201 * MIB)), 1);
        assert_eq!(with(|memory| memory.go_limit_bytes = Some(199 * MIB)), 0);
        assert_eq!(
            with(|memory| memory.go_percent = None),
            0,
            "only the limit drives it"
        );
        assert_eq!(with(|memory| memory.pid = 2), 0, "another process's");
        assert_eq!(rules(&found(140, vec![])), [""; 0], "nothing is known");
    }

    #[test]
    fn without_a_limit_the_gain_is_that_of_a_larger_percentage() {
        let machine = MemoryUse {
            limit_group: String::new(),
            may_use_bytes: 100_000 * MIB,
            ..roomy()
        };
        let diagnosis = found(300, vec![machine.clone()]);
        let finding = &diagnosis.findings[0];
        assert_eq!(finding.confidence, Confidence::Medium);
        assert!((finding.gain.as_ref().unwrap().factor - 4.0).abs() < 1e-9);
        assert!(
            finding
                .change
                .contains("GOGC=400, which takes about 2.5 times"),
            "{}",
            finding.change
        );
        // 250 MiB are needed, and nine tenths of the free memory count.
        for (may_use, is_enough) in [(270, false), (280, true)] {
            let machine = MemoryUse {
                may_use_bytes: may_use * MIB,
                ..machine.clone()
            };
            assert_eq!(!rules(&found(140, vec![machine])).is_empty(), is_enough);
        }
        let raised = MemoryUse {
            go_percent: Some(200),
            ..machine.clone()
        };
        assert_eq!(rules(&found(140, vec![raised])), [""; 0]);
        let limited = MemoryUse {
            go_limit_bytes: Some(900 * MIB),
            ..machine
        };
        let diagnosis = found(300, vec![limited]);
        assert!(
            diagnosis.findings[0]
                .change
                .contains("GOGC=off beside GOMEMLIMIT")
        );
    }

    #[test]
    fn of_several_processes_the_one_counts_whose_collector_takes_most() {
        let mut inspected = inspected(&[
            ("main.work;runtime.gcAssistAlloc", 150),
            ("main.work;runtime.gcAssistAlloc1", 200),
            ("main.work", 650),
        ]);
        inspected.stacks.stacks[1].pid = 2;
        let full = MemoryUse {
            pid: 2,
            may_use_bytes: 100 * MIB,
            ..roomy()
        };
        inspected.machine.memory = vec![roomy(), full];
        let found = diagnose(&inspected);
        assert_eq!(rules(&found), ["go-memory"], "the other has no memory left");
        inspected.machine.memory[1].may_use_bytes = 1000 * MIB;
        let found = diagnose(&inspected);
        assert_eq!(rules(&found), ["go-collector"]);
        assert_eq!(found.findings[0].share.samples, 200);
    }
    #[test]
    fn beside_it_the_allocator_is_judged_by_its_own_time() {
        let told = |allocating: u64| {
            let mut inspected = inspected(&[
                ("main.work;runtime.mallocgc;runtime.gcAssistAlloc", 300),
                ("main.work;runtime.mallocgc", allocating),
                ("main.work", 700 - allocating),
            ]);
            inspected.machine.memory = vec![roomy()];
            diagnose(&inspected)
        };
        assert_eq!(rules(&told(140)), ["go-collector"]);
        let both = told(250);
        assert_eq!(rules(&both), ["go-collector", "go-memory"]);
        let allocator = &both.findings[1];
        assert_eq!(allocator.share.samples, 250);
        assert!(!allocator.change.contains("GOGC"), "{}", allocator.change);
    }
}
