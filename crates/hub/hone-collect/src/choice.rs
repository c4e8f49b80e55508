//! Which processes get branch records in a round.
//!
//! Each recorded thread needs a counter on every CPU, so there are few processes at a time. Services that ask for branch records
//! go in turn if they have more; without any, processes of the host are drawn with the chance of their CPU time, so that over
//! time each service gets the share of records that it has of the CPU.

use rand::RngExt;
use rustc_hash::FxHashSet;

/// Processes that are recorded at a time.
const PROCESSES_MAX: usize = 8;
/// Their threads, together.
const THREADS_MAX: usize = 256;

/// A process that could be recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'c> {
    pub(crate) pid: i32,
    pub(crate) service: &'c str,
    /// CPU time since the look before, in ticks.
    pub(crate) ticks: u64,
}

/// Returns the chosen processes: of `services`, or of all where that is empty. Processes that used no CPU time are left out, and
/// those to `avoid`. `threads` tells how many a process has, and is asked of drawn ones alone.
pub(crate) fn choose(
    candidates: &[Candidate<'_>],
    services: &[String],
    avoid: &FxHashSet<i32>,
    random: &mut impl RngExt,
    mut threads: impl FnMut(i32) -> usize,
) -> Vec<i32> {
    let asks = |service: &str| services.is_empty() || services.iter().any(|name| name == service);
    let fits =
        |one: &&Candidate<'_>| one.ticks > 0 && asks(one.service) && !avoid.contains(&one.pid);
    let mut left: Vec<&Candidate<'_>> = candidates.iter().filter(fits).collect();
    let (mut chosen, mut all_threads) = (Vec::new(), 0);
    while chosen.len() < PROCESSES_MAX && !left.is_empty() {
        let one = left.swap_remove(drawn(&left, random));
        let own = threads(one.pid);
        if all_threads + own <= THREADS_MAX {
            all_threads += own;
            chosen.push(one.pid);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Returns the index of one, drawn by CPU time.
fn drawn(candidates: &[&Candidate<'_>], random: &mut impl RngExt) -> usize {
    let all: u64 = candidates.iter().map(|one| one.ticks).sum();
    let mut left = random.random_range(0..all);
    let at = candidates.iter().position(|one| {
        let is_it = left < one.ticks;
        left = left.saturating_sub(one.ticks);
        is_it
    });
    at.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn candidate(pid: i32, service: &str, ticks: u64) -> Candidate<'_> {
        Candidate {
            pid,
            service,
            ticks,
        }
    }

    fn chosen(candidates: &[Candidate<'_>], services: &[&str], seed: u64) -> Vec<i32> {
        let services: Vec<String> = services.iter().map(|name| (*name).to_owned()).collect();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        choose(
            candidates,
            &services,
            &FxHashSet::default(),
            &mut random,
            |_| 1,
        )
    }

    #[test]
    fn services_that_ask_are_recorded_and_no_others() {
        let all = [
            candidate(1, "shop", 5),
            candidate(2, "till", 500),
            candidate(3, "shop", 1),
            candidate(4, "shop", 0),
        ];
        for seed in 0..20 {
            assert_eq!(chosen(&all, &["shop"], seed), [1, 3]);
        }
        assert!(chosen(&all, &["nobody"], 1).is_empty());
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let avoid = FxHashSet::from_iter([1]);
        let asked = ["shop".to_owned()];
        assert_eq!(choose(&all, &asked, &avoid, &mut random, |_| 1), [3]);
    }

    #[test]
    fn without_any_the_busy_ones_are_drawn_more_often() {
        let mut all: Vec<Candidate<'_>> = (0..100).map(|pid| candidate(pid, "small", 1)).collect();
        all.push(candidate(100, "large", 900));
        let (mut large, mut small) = (0, FxHashSet::default());
        for seed in 0..200 {
            let pids = chosen(&all, &[], seed);
            assert_eq!(pids.len(), PROCESSES_MAX);
            large += usize::from(pids.contains(&100));
            small.extend(pids.into_iter().filter(|pid| *pid < 100));
        }
        assert!(large > 190, "{large}");
        assert!(small.len() > 90, "{}", small.len());
    }

    #[test]
    fn there_are_never_more_threads_than_there_may_be_counters() {
        let all = [1, 2, 3, 4].map(|pid| candidate(pid, "shop", 10));
        let threads = |pid: i32| -> usize { [0, 200, 100, 100, 1_000][pid as usize] };
        for seed in 0..50 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let pids = choose(&all, &[], &FxHashSet::default(), &mut random, threads);
            let sum: usize = pids.iter().map(|&pid| threads(pid)).sum();
            assert!(sum <= THREADS_MAX && !pids.is_empty(), "{pids:?}");
        }
    }
}
