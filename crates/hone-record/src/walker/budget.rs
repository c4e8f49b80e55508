//! What a recording may cost its target, and what it has cost.
//!
//! The target earns credit with every bit of CPU time that it uses, and every sample and walk is paid for
//! with what it took. A walk is made when there is credit; how much there must be is drawn at random, so
//! that walks come at random intervals and what they cost on average is still exactly what was earned.

use crate::random::Random;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// What a sample takes that wakes nobody, where nobody has measured it.
pub(crate) const SAMPLE: Duration = UNSEEN;
/// What an interruption takes beside what the recorder sees between the sample's time stamp and its own last
/// action: the timer's interrupt before it and the switches of threads.
const UNSEEN: Duration = Duration::from_micros(12);
/// What a walk costs the target after it, as a part of what it took: the target finds the caches full of the
/// walker's data. At budgets of 10 and 20 % the target's own CPU time rose by about as much as it was held up
/// (docs/decisions/0005-what-walking-costs.md).
const AFTERMATH: f64 = 1.0;
/// Credit is kept for so long: a target that slept must not be interrupted the more afterwards.
const CREDIT_MAX: Duration = Duration::from_millis(5);
/// A first guess at what a walk costs.
const WALK_GUESS: Duration = Duration::from_micros(200);

/// Shared by all threads that take samples.
pub(crate) struct Budget {
    /// Of the target's CPU time.
    share: f64,
    credit_ns: AtomicI64,
    walk_ns: AtomicU64,
}

impl Budget {
    /// A share of the target's CPU time.
    pub(crate) fn new(share: f64) -> Self {
        Self {
            share,
            credit_ns: AtomicI64::new(0),
            walk_ns: AtomicU64::new(WALK_GUESS.as_nanos() as u64),
        }
    }

    /// The target has used CPU time.
    pub(crate) fn earn(&self, cpu_ns: u64) {
        let earned = (self.share * cpu_ns as f64) as i64;
        let max = CREDIT_MAX.as_nanos() as i64;
        let add = |credit: i64| Some((credit + earned).min(max));
        // The closure always answers, so there is nothing to fail.
        let _ = self
            .credit_ns
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// The target was held up for so long, as far as the recorder sees, and a walk was so much of that; how long
    /// it was held up in all.
    pub(crate) fn spend(&self, seen_ns: u64, walk_ns: u64) -> u64 {
        let held_up_ns = seen_ns + UNSEEN.as_nanos() as u64;
        let aftermath_ns = (AFTERMATH * walk_ns as f64) as i64;
        self.credit_ns
            .fetch_sub(held_up_ns as i64 + aftermath_ns, Ordering::Relaxed);
        held_up_ns
    }

    /// Samples that woke nobody have held the target up too; for how long in all.
    pub(crate) fn spend_on_samples(&self, number: u64, each_ns: u64) -> u64 {
        let held_up_ns = number * each_ns;
        self.credit_ns
            .fetch_sub(held_up_ns as i64, Ordering::Relaxed);
        held_up_ns
    }

    /// A walk took so long: the next one is likely to take as long.
    pub(crate) fn learn(&self, walk_ns: u64) {
        let before = self.walk_ns.load(Ordering::Relaxed);
        self.walk_ns
            .store(before - before / 16 + walk_ns / 16, Ordering::Relaxed);
    }

    /// The credit at which the next walk is due.
    pub(crate) fn draw(&self, random: &mut Random) -> i64 {
        let mean = Duration::from_nanos(self.walk_ns.load(Ordering::Relaxed));
        let drawn = random.interval(mean).as_nanos() as i64;
        drawn.min(CREDIT_MAX.as_nanos() as i64 / 2)
    }

    /// Whether there is so much credit.
    pub(crate) fn has(&self, credit_ns: i64) -> bool {
        self.credit_ns.load(Ordering::Relaxed) >= credit_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target that runs for a minute and is sampled 200 times a second, at any price of a walk.
    #[test]
    fn in_the_long_run_exactly_the_share_is_spent() {
        for walk_ns in [30_000, 300_000, 2_000_000] {
            let budget = Budget::new(0.01);
            let mut random = Random::new(5);
            let mut due = budget.draw(&mut random);
            let (mut walks, mut spent_ns) = (0, 0);
            for _ in 0..12_000 {
                budget.earn(5_000_000);
                let mut walked_ns = 0;
                if budget.has(due) {
                    walked_ns = walk_ns;
                    walks += 1;
                    budget.learn(walk_ns);
                    due = budget.draw(&mut random);
                }
                spent_ns += budget.spend(10_000 + walked_ns, walked_ns);
                spent_ns += (AFTERMATH * walked_ns as f64) as u64;
            }
            let share = spent_ns as f64 / 60e9;
            assert!(
                (0.0098..0.0101).contains(&share),
                "{walk_ns}: {walks} walks, {share}"
            );
        }
    }

    #[test]
    fn an_expensive_walk_is_paid_off_before_the_next() {
        let budget = Budget::new(0.01);
        budget.earn(1_000_000_000);
        assert!(budget.has(4_000_000));
        budget.spend(50_000_000, 0);
        budget.earn(1_000_000_000);
        assert!(!budget.has(0));
    }

    #[test]
    fn sleep_earns_nothing_and_much_work_not_for_ever() {
        let budget = Budget::new(0.5);
        assert!(!budget.has(1));
        budget.earn(3_600_000_000_000);
        assert!(!budget.has(CREDIT_MAX.as_nanos() as i64 + 1));
    }
}
