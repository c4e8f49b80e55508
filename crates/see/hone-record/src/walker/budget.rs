//! Allowed and actual cost of a recording for its target.
//!
//! The target earns credit with all CPU time that it uses, and every sample and walk spends credit for the time
//! that it took. A walk is made when there is enough credit. The necessary credit is drawn at random, so
//! that walks come at random intervals and still cost on average exactly what was earned.
//!
//! The branches of one walk are one observation. So a recording begins with short walks, which may cost but a part of all that was
//! earned so far; otherwise a recording of a second would spend all on a few of them.

use crate::random::Random;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Time that a sample that wakes no walker takes, if not measured.
pub(crate) const SAMPLE: Duration = UNSEEN;
/// Time that an interruption takes beyond what the recorder sees between the sample's time stamp and its own last
/// action: the timer's interrupt before it and the switches of threads.
const UNSEEN: Duration = Duration::from_micros(12);
/// Cost of a walk to the target afterwards, as a part of the time that the walk took: the target finds the caches full
/// of the walker's data. At budgets of 10 and 20 % the target's own CPU time rose by about as much as it was held up
/// (docs/decisions/0005-what-walking-costs.md).
const AFTERMATH: f64 = 1.0;
/// Largest credit: a target that slept must not be interrupted more often afterwards.
const CREDIT_MAX: Duration = Duration::from_millis(5);
/// First guess at the cost of a walk.
const WALK_GUESS: Duration = Duration::from_micros(200);

/// Part of all credit earned so far that a walk may cost. A dear walk of usual length costs this part of what four seconds of CPU
/// time earn at 1 %; from then on all walks have that length.
const WALKS_OF_ALL: u64 = 16;

/// Largest part of what is earned that pays for the recorder's own CPU time.
pub(crate) const ELSEWHERE_MAX: f64 = 0.5;
/// CPU time of the target whose share of the budget is the most that is owed: time beyond is not caught up with later.
const OWED_MAX: Duration = Duration::from_secs(2);

/// Returns the most that is owed to a budget of this share of the target's CPU time, in nanoseconds; at least one.
pub(crate) fn owed_max_ns(share: f64) -> f64 {
    (share * OWED_MAX.as_nanos() as f64).max(1.0)
}

/// Budget shared by all threads that take samples.
pub(crate) struct Budget {
    /// Share of the target's CPU time.
    share: f64,
    credit_ns: AtomicI64,
    /// All credit ever earned, and its sum at the last account of what was spent elsewhere.
    earned_ns: AtomicU64,
    accounted_ns: AtomicU64,
    /// Time spent elsewhere that was not yet paid for.
    owed_ns: AtomicU64,
    walk_ns: AtomicU64,
}

impl Budget {
    /// Returns a budget of a share of the target's CPU time.
    pub(crate) fn new(share: f64) -> Self {
        Self {
            share,
            credit_ns: AtomicI64::new(0),
            earned_ns: AtomicU64::new(0),
            accounted_ns: AtomicU64::new(0),
            owed_ns: AtomicU64::new(0),
            walk_ns: AtomicU64::new(WALK_GUESS.as_nanos() as u64),
        }
    }

    /// Adds credit for CPU time that the target has used.
    pub(crate) fn earn(&self, cpu_ns: u64) {
        let earned = (self.share * cpu_ns as f64) as i64;
        self.earned_ns.fetch_add(earned as u64, Ordering::Relaxed);
        let max = CREDIT_MAX.as_nanos() as i64;
        let add = |credit: i64| Some((credit + earned).min(max));
        // The closure always returns a value, so the update cannot fail.
        let _ = self
            .credit_ns
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Spends credit for an interruption of `seen_ns`, as far as the recorder sees, of which a walk took `walk_ns`;
    /// returns the whole time for which the target was held up.
    pub(crate) fn spend(&self, seen_ns: u64, walk_ns: u64) -> u64 {
        let held_up_ns = seen_ns + UNSEEN.as_nanos() as u64;
        let aftermath_ns = (AFTERMATH * walk_ns as f64) as i64;
        self.credit_ns
            .fetch_sub(held_up_ns as i64 + aftermath_ns, Ordering::Relaxed);
        held_up_ns
    }

    /// Spends credit for samples that woke no walker; returns the whole time for which they held up the target.
    pub(crate) fn spend_on_samples(&self, number: u64, each_ns: u64) -> u64 {
        let held_up_ns = number * each_ns;
        self.credit_ns
            .fetch_sub(held_up_ns as i64, Ordering::Relaxed);
        held_up_ns
    }

    /// Spends credit for CPU time that the recording took elsewhere since the last call. At most [`ELSEWHERE_MAX`] of what was earned
    /// meanwhile pays for it, so that there are walks even where the recorder's own time, most of which walks do not change, takes all
    /// of a small budget; the rest is owed.
    pub(crate) fn spend_elsewhere(&self, seconds: f64) {
        let earned_ns = self.earned_ns.load(Ordering::Relaxed);
        let lately_ns = earned_ns - self.accounted_ns.swap(earned_ns, Ordering::Relaxed);
        let owed_ns = self.owed_ns.load(Ordering::Relaxed) + (seconds * 1e9) as u64;
        let spent_ns = owed_ns.min((lately_ns as f64 * ELSEWHERE_MAX) as u64);
        let left_ns = (owed_ns - spent_ns).min(owed_max_ns(self.share) as u64);
        self.owed_ns.store(left_ns, Ordering::Relaxed);
        self.credit_ns.fetch_sub(spent_ns as i64, Ordering::Relaxed);
    }

    /// Returns the time after which a walk ends.
    pub(crate) fn walk_max_ns(&self) -> u64 {
        let cost_ns = self.earned_ns.load(Ordering::Relaxed) / WALKS_OF_ALL;
        (cost_ns as f64 / (1.0 + AFTERMATH)) as u64
    }

    /// Learns from the time of a walk: the next walk is likely to take as long.
    pub(crate) fn learn(&self, walk_ns: u64) {
        let before = self.walk_ns.load(Ordering::Relaxed);
        self.walk_ns
            .store(before - before / 16 + walk_ns / 16, Ordering::Relaxed);
    }

    /// Draws the credit at which the next walk is due.
    pub(crate) fn draw(&self, random: &mut Random) -> i64 {
        let mean = Duration::from_nanos(self.walk_ns.load(Ordering::Relaxed));
        let drawn = random.interval(mean).as_nanos() as i64;
        drawn.min(CREDIT_MAX.as_nanos() as i64 / 2)
    }

    /// Returns true if there is at least this much credit.
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

    /// Half a second of one thread at 1 %, of whose walks the first would take three milliseconds.
    #[test]
    fn a_short_recording_has_several_walks() {
        let budget = Budget::new(0.01);
        let mut random = Random::new(5);
        let mut due = budget.draw(&mut random);
        let (mut walks, mut last) = (0, 0);
        for sample in 0..20 {
            budget.earn(25_000_000);
            let mut walk_ns = 0;
            if budget.has(due) {
                // A walk ends with the part during which its time is up.
                let whole_ns = if walks == 0 { 3_000_000 } else { 1_000_000 };
                walk_ns = whole_ns.min(budget.walk_max_ns() + whole_ns / 16);
                (walks, last) = (walks + 1, sample);
                budget.learn(walk_ns);
                due = budget.draw(&mut random);
            }
            budget.spend(75_000 + walk_ns, walk_ns);
        }
        assert!(
            walks >= 8 && last >= 15,
            "{walks} walks, the last at {last}"
        );
    }

    #[test]
    fn walks_of_long_recordings_have_their_whole_length() {
        let budget = Budget::new(0.01);
        (0..800).for_each(|_| budget.earn(5_000_000));
        assert!(
            budget.walk_max_ns() >= 1_200_000,
            "{}",
            budget.walk_max_ns()
        );
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
    fn time_spent_elsewhere_is_paid_and_leaves_a_part_to_walks() {
        let budget = Budget::new(0.01);
        let is_exactly = |credit_ns| budget.has(credit_ns) && !budget.has(credit_ns + 1);
        budget.earn(400_000_000);
        budget.spend_elsewhere(0.001);
        assert!(is_exactly(3_000_000));
        // Half a million is left, and 9.5 millions are owed.
        budget.earn(100_000_000);
        budget.spend_elsewhere(0.010);
        assert!(is_exactly(3_500_000));
        budget.earn(100_000_000);
        budget.spend_elsewhere(0.0);
        assert!(is_exactly(4_000_000));
        // Of an hour no more is owed than two seconds earn.
        budget.spend_elsewhere(3_600.0);
        for _ in 0..40 {
            budget.earn(100_000_000);
            budget.spend_elsewhere(0.0);
        }
        assert!(budget.has(4_000_000) && budget.owed_ns.load(Ordering::Relaxed) == 0);
    }

    #[test]
    fn sleep_earns_nothing_and_much_work_not_for_ever() {
        let budget = Budget::new(0.5);
        assert!(!budget.has(1));
        budget.earn(3_600_000_000_000);
        assert!(!budget.has(CREDIT_MAX.as_nanos() as i64 + 1));
    }
}
