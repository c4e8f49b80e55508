//! How often samples wake walkers: more often where the budget is left over.
//!
//! The usual rate suits programs that are in their own code most of the time and give long walks. A server is in the kernel
//! for most of its samples, where no walk begins, and its walks end at the next system call: at the usual rate four fifths of
//! what it may cost stay unused. So the rate rises while credit is forgone, up to where samples alone take half of the
//! budget.

use super::budget::Earnings;

/// Judged after so much of the credit that can be kept at all was earned: about a second of CPU time at 1 %.
const LOOK_AFTER_NS: u64 = 10_000_000;
/// Credit of which a smaller part is forgone is well used.
const FORGONE_MIN: f64 = 0.1;
/// The rate rises by this part at most in one step: what walks then cost is not known yet.
const RISE_MAX: f64 = 0.5;

/// The rate of samples that wake walkers.
pub(crate) struct Pace {
    rate_hz: u32,
    most_hz: u32,
    lately: Earnings,
}

impl Pace {
    /// Starts at the usual rate; `most_hz` is the highest.
    pub(crate) fn new(rate_hz: u32, most_hz: u32) -> Self {
        Self {
            rate_hz,
            most_hz,
            lately: Earnings::default(),
        }
    }

    /// Takes what was earned since the last look, and says to which rate to change, if to any.
    pub(crate) fn look(&mut self, earnings: Earnings) -> Option<u32> {
        self.lately.earned_ns += earnings.earned_ns;
        self.lately.forgone_ns += earnings.forgone_ns;
        if self.lately.earned_ns < LOOK_AFTER_NS {
            return None;
        }
        let lately = std::mem::take(&mut self.lately);
        let forgone = lately.forgone_ns as f64 / lately.earned_ns as f64;
        if forgone < FORGONE_MIN || self.rate_hz >= self.most_hz {
            return None;
        }
        let raised = f64::from(self.rate_hz) * (1.0 + forgone.min(RISE_MAX));
        self.rate_hz = (raised.ceil() as u32).min(self.most_hz);
        Some(self.rate_hz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::walker::budget::Budget;

    /// A minute of CPU time of a target that is in its own code for this share of its samples, with walks of so many
    /// nanoseconds: the last rate, walks, and the share of the budget that was used.
    fn a_minute(own_code: f64, walk_ns: u64) -> (u32, u32, f64) {
        let budget = Budget::new(0.01);
        let mut random = Random::new(7);
        let mut pace = Pace::new(20, 66);
        let mut due = budget.draw(&mut random);
        let (mut rate_hz, mut walks, mut spent_ns, mut now_s) = (20, 0, 0, 0.0);
        while now_s < 60.0 {
            now_s += 1.0 / f64::from(rate_hz);
            budget.earn(1_000_000_000 / u64::from(rate_hz));
            let mut walked_ns = 0;
            if random.unit() < own_code && budget.has(due) {
                walked_ns = walk_ns;
                walks += 1;
                budget.learn(walk_ns);
                due = budget.draw(&mut random);
            }
            // As a walk is counted: once for the waiting and once for what it leaves behind.
            spent_ns += budget.spend(60_000 + walked_ns, walked_ns) + walked_ns;
            rate_hz = pace.look(budget.take_earnings()).unwrap_or(rate_hz);
        }
        (rate_hz, walks, spent_ns as f64 / 0.6e9)
    }

    #[test]
    fn a_program_with_long_walks_keeps_the_usual_rate() {
        let (rate_hz, _, used) = a_minute(1.0, 800_000);
        assert_eq!(rate_hz, 20);
        assert!((0.95..1.02).contains(&used), "{used}");
    }

    #[test]
    fn a_server_in_the_kernel_with_short_walks_is_sampled_more_often_and_within_its_budget() {
        let (rate_hz, walks, used) = a_minute(0.25, 150_000);
        assert_eq!(rate_hz, 66);
        // 20 samples a second are 300 walks.
        assert!(walks > 750, "{walks}");
        assert!((0.7..1.0).contains(&used), "{used}");
    }

    #[test]
    fn the_rate_rises_step_by_step_and_no_further_than_it_may() {
        let mut pace = Pace::new(20, 66);
        let all_forgone = Earnings {
            earned_ns: LOOK_AFTER_NS,
            forgone_ns: LOOK_AFTER_NS,
        };
        let rates: Vec<_> = (0..5).map(|_| pace.look(all_forgone)).collect();
        assert_eq!(rates, [Some(30), Some(45), Some(66), None, None]);
        let mut pace = Pace::new(20, 66);
        let well_used = Earnings {
            forgone_ns: LOOK_AFTER_NS / 20,
            ..all_forgone
        };
        assert_eq!(pace.look(well_used), None);
    }
}
