//! Sampling rate, limited so that samples cost no more than allowed.
//!
//! A sample holds up its thread for as long as the kernel works on the sample: the timer's interrupt, the call chain, and the
//! copy of the stack, if there is one. That time is measured on this machine beforehand ([`crate::sampler::cost`]); the number of
//! copied bytes is known for each sample. Both give the number of samples a second that the budget pays for.
//!
//! The recorder's own CPU time comes out of the same budget: what is owed for it lowers the rate until it is paid.

use crate::walker::budget::{ELSEWHERE_MAX, owed_max_ns};

/// Cost of a sample to the target afterwards, as a part of the time that the sample took: the target finds caches and
/// predictors full of the kernel's work (`bench/results/record/call-graph.md`).
const AFTERMATH: f64 = 0.5;
/// Cost of the copy of a stack afterwards, as a part of the time that the copy took: the copy still fills the caches.
const AFTERMATH_OF_COPIES: f64 = 1.0;
/// Number of samples after which the copied bytes are evaluated.
const LOOK_AFTER: f64 = 50.0;
/// Smallest share of the target in all samples that lowers the rate: other programs pay at most four times less than the target may, and
/// a target that waits now is still sampled when it works.
pub(crate) const OWN_SHARE_MIN: f64 = 0.25;
/// Smallest relative change of the rate; below it the rate stays.
const CHANGE_MIN: f64 = 0.08;

/// Time for which a sample holds up its thread.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct SampleCost {
    pub(crate) base_ns: f64,
    /// Nanoseconds per copied byte of the stack.
    pub(crate) ns_per_byte: f64,
}

impl SampleCost {
    /// Returns the cost of a sample that copies the given number of bytes, including the cost afterwards.
    pub(crate) fn of_ns(self, copied_bytes: f64) -> f64 {
        self.base_ns * (1.0 + AFTERMATH)
            + copied_bytes * self.ns_per_byte * (1.0 + AFTERMATH_OF_COPIES)
    }
}

/// Returns the number of samples per second of CPU time that cost this share of the time; at least one.
pub(crate) fn affordable_hz(share: f64, cost_ns: f64) -> u32 {
    let rate = share * 1e9 / cost_ns.max(1.0);
    (rate as u32).max(1)
}

/// Allowed cost of a recording without walks, and the rate that follows.
pub(crate) struct Governor {
    /// Share of the target's CPU time; `None` for no limit.
    share: Option<f64>,
    cost: SampleCost,
    asked_hz: u32,
    rate_hz: u32,
    /// Bytes of the stack that a sample copies.
    copied_bytes: f64,
    /// Samples and copied bytes since the last look.
    samples: f64,
    bytes: f64,
    /// Samples of the target itself since the last look; counters of CPUs take samples of other programs too.
    own_samples: f64,
    /// Time that was spent and not yet earned.
    owed_ns: f64,
    /// Cost of the samples that was not yet handed out by [`Governor::take_spent_s`].
    spent_ns: f64,
    /// Latest share of the target in all samples.
    own_share: f64,
}

impl Governor {
    /// Starts at the rate that is affordable if each sample copies all that it may, and with the CPU time that the recorder has used
    /// before.
    pub(crate) fn new(
        asked_hz: u32,
        share: Option<f64>,
        cost: SampleCost,
        copied_bytes_max: u32,
        start_ns: u64,
    ) -> Self {
        let mut this = Self {
            share,
            cost,
            asked_hz,
            rate_hz: asked_hz,
            copied_bytes: copied_bytes_max.into(),
            samples: 0.0,
            bytes: 0.0,
            own_samples: 0.0,
            owed_ns: start_ns as f64,
            spent_ns: 0.0,
            own_share: 1.0,
        };
        this.rate_hz = this.affordable_hz();
        this
    }

    fn affordable_hz(&self) -> u32 {
        match self.share {
            Some(share) => {
                // A part of the recorder's time is there without samples, and fewer samples do not save it.
                let repaid = (self.owed_ns / owed_max_ns(share)).min(ELSEWHERE_MAX);
                let share = share * self.own_share * (1.0 - repaid);
                self.asked_hz.min(affordable_hz(share, self.cost_ns()))
            }
            None => self.asked_hz,
        }
    }

    /// Current rate.
    pub(crate) fn rate_hz(&self) -> u32 {
        self.rate_hz
    }

    /// Current estimate of the cost of a sample.
    pub(crate) fn cost_ns(&self) -> f64 {
        self.cost.of_ns(self.copied_bytes)
    }

    /// Returns the cost of the samples since the last call.
    pub(crate) fn take_spent_s(&mut self) -> f64 {
        std::mem::take(&mut self.spent_ns) / 1e9
    }

    /// Takes a sample with `copied_bytes` bytes of the stack, of the target or of another program.
    pub(crate) fn sampled(&mut self, copied_bytes: usize, is_own: bool) {
        self.samples += 1.0;
        self.own_samples += f64::from(u8::from(is_own));
        self.bytes += copied_bytes as f64;
        let cost_ns = self.cost.of_ns(copied_bytes as f64);
        self.spent_ns += cost_ns;
        self.owed_ns += cost_ns;
    }

    /// Tells that samples are of the target for this share only from now on, and that the rate was lowered to this part.
    pub(crate) fn is_shared(&mut self, own_share: f64) {
        self.own_share = own_share;
        self.rate_hz = ((own_share * f64::from(self.rate_hz)) as u32).max(1);
    }

    /// Takes the CPU time that the recorder itself has used.
    pub(crate) fn recorder_took(&mut self, cpu_ns: u64) {
        self.owed_ns += cpu_ns as f64;
    }

    /// Evaluates the latest copies and returns the new rate, if the rate should change.
    pub(crate) fn look(&mut self) -> Option<u32> {
        if self.samples < LOOK_AFTER {
            return None;
        }
        if let Some(share) = self.share {
            // Each sample of the target stands for the time from one to the next.
            let earned_ns = share * self.own_samples * 1e9 / f64::from(self.rate_hz);
            self.owed_ns = (self.owed_ns - earned_ns).clamp(0.0, owed_max_ns(share));
        }
        let each = |sum: &mut f64| std::mem::take(sum) / self.samples;
        // A higher cost counts at once, a lower cost gradually: time saved before is not spent later.
        let dearer = |before: f64, now: f64| now.max(f64::midpoint(before, now));
        self.copied_bytes = dearer(self.copied_bytes, each(&mut self.bytes));
        let others_share = dearer(1.0 - self.own_share, 1.0 - each(&mut self.own_samples));
        self.own_share = (1.0 - others_share).max(OWN_SHARE_MIN);
        self.samples = 0.0;
        let rate_hz = self.affordable_hz();
        let change = (f64::from(rate_hz) / f64::from(self.rate_hz) - 1.0).abs();
        let changes = change > CHANGE_MIN || (rate_hz == self.asked_hz && change > 0.0);
        changes.then(|| {
            self.rate_hz = rate_hz;
            rate_hz
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: SampleCost = SampleCost {
        base_ns: 15_000.0,
        ns_per_byte: 0.125,
    };

    /// Returns the share of a minute of CPU time that samples cost, with stacks of this depth.
    fn share_of_a_minute(governor: &mut Governor, stack: impl Fn(f64) -> usize) -> f64 {
        let mut now_s = 0.0;
        while now_s < 60.0 {
            now_s += 1.0 / f64::from(governor.rate_hz());
            governor.sampled(stack(now_s), true);
            governor.look();
        }
        governor.take_spent_s() / 60.0
    }

    #[test]
    fn whatever_rate_is_asked_for_and_however_deep_stacks_are_the_share_holds() {
        for asked_hz in [19, 997, 4_000, 50_000] {
            for depth in [0, 2_000, 16_000, 65_000] {
                for share in [0.002, 0.01, 0.05] {
                    let mut governor = Governor::new(asked_hz, Some(share), COST, 65_528, 0);
                    let spent = share_of_a_minute(&mut governor, |_| depth);
                    assert!(
                        spent <= share * 1.01,
                        "{asked_hz} {depth} {share}: {spent}, {} Hz",
                        governor.rate_hz()
                    );
                    let pays = affordable_hz(share, COST.of_ns(depth as f64));
                    let wanted = f64::from(asked_hz.min(pays));
                    let kept = f64::from(governor.rate_hz());
                    assert!((kept / wanted - 1.0).abs() < 0.1, "{kept} of {wanted}");
                }
            }
        }
    }

    #[test]
    fn samples_of_other_programs_are_paid_too() {
        let mut governor = Governor::new(997, Some(0.01), COST, 0, 0);
        let alone_hz = f64::from(governor.rate_hz());
        let mut look = |own_of_ten: u32| {
            for _ in 0..20 {
                for sample in 0..50 {
                    governor.sampled(0, sample % 10 < own_of_ten);
                }
                governor.look();
            }
            f64::from(governor.rate_hz()) / alone_hz
        };
        assert!((0.45..0.55).contains(&look(5)));
        assert!((0.9..=1.01).contains(&look(10)), "alone again");
        assert!(look(0) <= OWN_SHARE_MIN * 1.1, "a target that sleeps");
    }

    /// Returns the share of a minute of CPU time that samples cost and the recorder took, which took some at its start.
    fn share_with_recorder(seconds: f64, start_ns: u64, ns_each: u64) -> (f64, f64) {
        let mut governor = Governor::new(997, Some(0.01), COST, 0, start_ns);
        let mut recorder_ns = start_ns;
        let (mut now_s, mut samples) = (0.0, 0.0);
        while now_s < seconds {
            now_s += 1.0 / f64::from(governor.rate_hz());
            samples += 1.0;
            governor.sampled(0, true);
            governor.recorder_took(ns_each);
            recorder_ns += ns_each;
            governor.look();
        }
        let share = (governor.take_spent_s() + recorder_ns as f64 / 1e9) / seconds;
        (share, samples / seconds)
    }

    #[test]
    fn the_recorders_own_time_is_paid_out_of_the_same_budget() {
        let (share, rate_hz) = share_with_recorder(60.0, 20_000_000, 1_000);
        assert!(share < 0.0101 && rate_hz > 350.0, "{share} {rate_hz}");
        let (share, rate_hz) = share_with_recorder(5.0, 15_000_000, 1_000);
        assert!(share < 0.0105 && rate_hz > 250.0, "{share} {rate_hz}");
        // Where the recorder alone takes more than the budget, half is left to samples.
        let pays = f64::from(affordable_hz(0.01, COST.of_ns(0.0)));
        let (_, rate_hz) = share_with_recorder(60.0, 0, 10_000_000);
        assert!((0.45..0.6).contains(&(rate_hz / pays)), "{rate_hz}");
    }

    #[test]
    fn stacks_that_become_deeper_lower_the_rate() {
        let mut governor = Governor::new(997, Some(0.01), COST, 65_528, 0);
        let stack = |now_s| if now_s < 30.0 { 1_000 } else { 60_000 };
        let spent = share_of_a_minute(&mut governor, stack);
        assert!(spent <= 0.0101, "{spent}");
        let deep = f64::from(affordable_hz(0.01, COST.of_ns(60_000.0)));
        assert!(f64::from(governor.rate_hz()) <= deep * (1.0 + CHANGE_MIN));
    }

    #[test]
    fn without_a_budget_the_rate_is_what_was_asked_for() {
        let mut governor = Governor::new(4_000, None, COST, 65_528, 0);
        let spent = share_of_a_minute(&mut governor, |_| 60_000);
        assert_eq!(governor.rate_hz(), 4_000);
        assert!(
            (0.14..0.16).contains(&spent),
            "what it costs is told: {spent}"
        );
    }
}
