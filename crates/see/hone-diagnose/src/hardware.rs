//! Counts of the CPU's own counters, if they were recorded beside time: the cycles that events took as a part of all cycles.

use crate::share::{Share, Z};
use std::collections::BTreeMap;

/// An event that CPUs count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Counter {
    /// Cycles.
    Cycles,
    /// Mispredicted branches.
    BranchMisses,
    /// Lines of code that were not in the first-level instruction cache.
    InstructionMisses,
    /// Cycles in which the front end delivered nothing though the back end was ready.
    FrontEndStalls,
}

/// perf's names of the events, without modifiers and the name of the unit.
const NAMES: [(&str, Counter); 9] = [
    ("cycles", Counter::Cycles),
    ("cpu-cycles", Counter::Cycles),
    ("branch-misses", Counter::BranchMisses),
    ("L1-icache-load-misses", Counter::InstructionMisses),
    ("L1-icache-misses", Counter::InstructionMisses),
    ("icache.misses", Counter::InstructionMisses),
    ("icache_64b.iftag_miss", Counter::InstructionMisses),
    ("stalled-cycles-frontend", Counter::FrontEndStalls),
    ("idle-cycles-frontend", Counter::FrontEndStalls),
];

impl Counter {
    /// Returns the counter for perf's name of an event, such as `cycles:u` or `cpu_core/branch-misses/u`.
    pub fn of_event(name: &str) -> Option<Self> {
        let known = |part: &str| NAMES.iter().find(|(name, _)| *name == part);
        name.split(['/', ':'])
            .find_map(known)
            .map(|(_, counter)| *counter)
    }
}

/// Counts of one counter.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counted {
    /// Number of samples.
    pub samples: u64,
    /// Number of events: the sum of the samples' periods.
    pub weight: u64,
    /// Functions with the share of the events in each, largest share first.
    pub functions: Vec<(String, f64)>,
}

/// Counts by counter; empty if no counters were recorded.
pub type Hardware = BTreeMap<Counter, Counted>;

/// Returns the part of all cycles that the counter's events took at `cycles_each` cycles; `None` if the events or the
/// cycles were not counted.
///
/// The interval is that of the logarithm of a ratio of two counts: its variance is 1/n + 1/m for n and m samples.
pub(crate) fn cycles_lost(
    hardware: &Hardware,
    counter: Counter,
    cycles_each: f64,
) -> Option<Share> {
    let (of, all) = (hardware.get(&counter)?, hardware.get(&Counter::Cycles)?);
    if of.samples == 0 || all.samples == 0 || all.weight == 0 {
        return None;
    }
    let share = of.weight as f64 * cycles_each / all.weight as f64;
    let spread = (Z * (1.0 / of.samples as f64 + 1.0 / all.samples as f64).sqrt()).exp();
    Some(Share {
        samples: of.samples,
        share: share.min(1.0),
        low: (share / spread).min(1.0),
        high: (share * spread).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_known_by_perfs_names() {
        for (name, counter) in [
            ("cycles", Some(Counter::Cycles)),
            ("cycles:u", Some(Counter::Cycles)),
            ("cpu_core/branch-misses/u", Some(Counter::BranchMisses)),
            ("L1-icache-load-misses:uP", Some(Counter::InstructionMisses)),
            (
                "cpu/stalled-cycles-frontend/",
                Some(Counter::FrontEndStalls),
            ),
            ("cpu-clock", None),
            ("branches:u", None),
        ] {
            assert_eq!(Counter::of_event(name), counter, "{name}");
        }
    }

    #[test]
    fn the_interval_is_as_wide_as_both_counts_make_it() {
        let counted = |samples, weight| Counted {
            samples,
            weight,
            functions: Vec::new(),
        };
        let hardware = Hardware::from([
            (Counter::Cycles, counted(10_000, 10_000_000)),
            (Counter::BranchMisses, counted(400, 100_000)),
        ]);
        let share = cycles_lost(&hardware, Counter::BranchMisses, 20.0).unwrap();
        assert!((share.share - 0.2).abs() < 1e-12);
        // exp(1.96 * sqrt(1/400 + 1/10000)) = 1.1052
        assert!(
            (share.high / share.share - 1.1052).abs() < 1e-3,
            "{share:?}"
        );
        assert!((share.share / share.low - 1.1052).abs() < 1e-3);
        assert_eq!(cycles_lost(&hardware, Counter::FrontEndStalls, 1.0), None);
    }
}
