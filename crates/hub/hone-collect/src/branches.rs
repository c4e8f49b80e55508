//! Whose branch records are made in a round, and for how long.

use std::fs;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::choice::{Candidate, choose};
use crate::options::Branches;
use crate::pace::Budget;
use crate::round::{BranchRound, HELD_UP_MAX};

/// Rounds for which processes are left alone whose branch records failed.
const AVOIDED_ROUNDS: u32 = 10;
/// Most rounds without a try after failures, one after the other.
const REST_MOST: u32 = 64;
/// Ticks of the kernel's clock in a second, in `/proc`.
const TICKS_PER_S: f64 = 100.0;

/// Turns of processes at branch records.
pub(crate) struct Turns {
    asked: Branches,
    budget: Budget,
    random: ChaCha8Rng,
    /// Processes that are left alone, and for how many rounds still.
    avoided: FxHashMap<i32, u32>,
    /// Failures one after the other, and rounds without a try that follow.
    failures: u32,
    rest: u32,
}

/// The round that is planned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coming {
    /// Its duration.
    pub(crate) duration: Duration,
    /// CPUs of the host.
    pub(crate) cpus: usize,
    /// Part of the budget that the pace leaves.
    pub(crate) part: f64,
}

impl Turns {
    /// Begins with these settings; `seed` decides who is drawn.
    pub(crate) fn of(asked: &Branches, seed: u64) -> Self {
        Self {
            budget: Budget::of(asked.cpu_share_max, HELD_UP_MAX),
            asked: asked.clone(),
            random: ChaCha8Rng::seed_from_u64(seed),
            avoided: FxHashMap::default(),
            failures: 0,
            rest: 0,
        }
    }

    /// Returns whose branch records are made in the coming round, if any. `since` is the time in which the candidates used
    /// their CPU time.
    pub(crate) fn next(
        &mut self,
        candidates: &[Candidate<'_>],
        since: Duration,
        coming: Coming,
    ) -> Option<BranchRound> {
        let own = std::process::id().cast_signed();
        let avoid: FxHashSet<i32> = self.avoided.keys().copied().chain([own]).collect();
        self.avoided.retain(|_, rounds| {
            *rounds -= 1;
            *rounds > 0
        });
        self.rest = self.rest.saturating_sub(1);
        let services = &self.asked.services;
        let pids = choose(candidates, services, &avoid, &mut self.random, threads_of);
        let used = candidates.iter().filter(|one| pids.contains(&one.pid));
        let used_s = used.map(|one| one.ticks).sum::<u64>() as f64 / TICKS_PER_S;
        let cores = used_s / since.as_secs_f64().max(f64::MIN_POSITIVE);
        let host_s = coming.duration.as_secs_f64() * coming.cpus as f64;
        let cores = cores.min(coming.cpus as f64);
        let duration = self
            .budget
            .grant(coming.part, host_s, cores, coming.duration)?;
        (!pids.is_empty() && self.rest == 0).then_some(BranchRound { pids, duration })
    }

    /// Takes what a recording has cost, whose processes used so many CPU seconds meanwhile.
    pub(crate) fn worked(&mut self, cpu_s: f64, used_s: f64) {
        self.budget.spend(cpu_s, used_s);
        self.failures = 0;
    }

    /// Leaves the processes of a recording that failed alone for a while, and all of them if it fails again and again.
    pub(crate) fn failed(&mut self, pids: &[i32]) {
        let avoided = pids.iter().map(|&pid| (pid, AVOIDED_ROUNDS));
        self.avoided.extend(avoided);
        self.rest = 1_u32.checked_shl(self.failures).unwrap_or(REST_MOST);
        self.rest = self.rest.min(REST_MOST);
        self.failures += 1;
    }
}

/// Returns the number of threads of a process; more than any process may have if nobody knows.
fn threads_of(pid: i32) -> usize {
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    threads.map_or(usize::MAX / 2, Iterator::count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_record::BranchSource;

    const COMING: Coming = Coming {
        duration: Duration::from_secs(30),
        cpus: 2,
        part: 1.0,
    };

    fn turns() -> Turns {
        let asked = Branches {
            source: BranchSource::Walk,
            services: vec!["shop".into()],
            cpu_share_max: 0.01,
        };
        Turns::of(&asked, 1)
    }

    /// A process that exists, so that its threads can be counted; but not this one, which never records itself.
    fn shop() -> Candidate<'static> {
        Candidate {
            pid: std::os::unix::process::parent_id().cast_signed(),
            service: "shop",
            ticks: 3_000,
        }
    }

    fn next(turns: &mut Turns, candidate: Candidate<'_>) -> Option<BranchRound> {
        turns.next(&[candidate], Duration::from_secs(30), COMING)
    }

    #[test]
    fn who_asks_is_recorded_as_long_as_the_budget_lasts() {
        let mut turns = turns();
        let round = next(&mut turns, shop()).unwrap();
        assert_eq!(
            (round.pids, round.duration),
            (vec![shop().pid], COMING.duration)
        );
        turns.worked(100.0, 30.0);
        assert_eq!(next(&mut turns, shop()), None, "all is spent");
        let own = Candidate {
            pid: std::process::id().cast_signed(),
            ..shop()
        };
        assert_eq!(next(&mut super::tests::turns(), own), None);
    }

    #[test]
    fn who_fails_is_left_alone_and_all_are_after_many_failures() {
        let mut turns = turns();
        let mut rests = Vec::new();
        for _ in 0..4 {
            assert!(next(&mut turns, shop()).is_some());
            turns.failed(&[1]);
            let rounds = (1..1_000).find(|_| next(&mut turns, shop()).is_some());
            rests.push(rounds.unwrap());
        }
        assert_eq!(rests, [1, 2, 4, 8]);
        turns.worked(0.0, 30.0);
        turns.failed(&[shop().pid]);
        let rounds = (1..1_000).find(|_| next(&mut turns, shop()).is_some());
        assert_eq!(rounds, Some(AVOIDED_ROUNDS as usize + 1));
    }
}
