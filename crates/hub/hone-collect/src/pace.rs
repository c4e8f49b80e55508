//! How much is recorded, so that all of it together stays within its share of the CPU time and its memory.
//!
//! What a round costs is known only afterwards, and some of it (reading `/proc`, tables of unwinding) does not depend on the rate.
//! So the pace is a ladder: whoever was over the limit records a step less, branch records first, then samples, then with longer
//! rounds; and a step more again once a few windows were well below the limit. Each return to a step that was too much makes the
//! next return wait twice as long.

use std::collections::VecDeque;
use std::time::Duration;

/// Rounds over which the cost is judged.
const WINDOW: usize = 4;
/// Rounds of a window after which a cost over the limit counts: one alone may have been an accident.
const WINDOW_LEAST: usize = 2;
/// Rounds well below the limit that a step more takes, at least and at most.
const CALM_LEAST: u32 = 4;
const CALM_MOST: u32 = 64;
/// Part of the limit below which a step more is tried: no step doubles the cost of the one before.
const WELL_BELOW: f64 = 0.5;

/// A step of the ladder.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Step {
    /// Part of the budget for branch records.
    pub(crate) branches: f64,
    /// What the rate is divided by.
    pub(crate) slower: u32,
    /// What the duration of a round is multiplied by.
    pub(crate) longer: u32,
}

const fn step(branches: f64, slower: u32, longer: u32) -> Step {
    Step {
        branches,
        slower,
        longer,
    }
}

/// The ladder, from everything to next to nothing.
const STEPS: [Step; 8] = [
    step(1.0, 1, 1),
    step(0.5, 1, 1),
    step(0.25, 1, 1),
    step(0.0, 1, 1),
    step(0.0, 2, 1),
    step(0.0, 4, 2),
    step(0.0, 8, 4),
    step(0.0, 16, 8),
];
/// The first step without branch records, where recordings that have none begin.
const PLAIN: usize = 3;

/// What a round cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Cost {
    /// CPU seconds of all that belongs to the round.
    pub(crate) cpu_s: f64,
    /// CPU seconds that the host had meanwhile.
    pub(crate) host_s: f64,
    /// Most bytes of memory at a time, beyond those of the process before.
    pub(crate) memory_bytes: u64,
}

/// Place on the ladder.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    share_max: f64,
    memory_bytes_max: u64,
    first: usize,
    at: usize,
    window: VecDeque<Cost>,
    /// Rounds well below the limit, one after the other, and how many of them a step more takes.
    calm: u32,
    calm_needed: u32,
    /// True if the last step was one more.
    has_risen: bool,
    lean: Lean,
}

/// Rounds without tables of unwinding, which take most of the memory.
#[derive(Clone, Copy, Debug)]
struct Lean {
    left: u32,
    next: u32,
}

impl Pace {
    /// Creates a pace that keeps to a share of the host's CPU time, and to so much memory.
    pub(crate) fn within(share_max: f64, memory_bytes_max: u64, has_branches: bool) -> Self {
        let first = if has_branches { 0 } else { PLAIN };
        Self {
            share_max,
            memory_bytes_max,
            first,
            at: first,
            window: VecDeque::new(),
            calm: 0,
            calm_needed: CALM_LEAST,
            has_risen: false,
            lean: Lean {
                left: 0,
                next: CALM_LEAST,
            },
        }
    }

    /// Returns the step for the next round.
    pub(crate) fn step(&self) -> Step {
        STEPS[self.at]
    }

    /// Number of steps that less is recorded than was asked for.
    pub(crate) fn steps_down(&self) -> usize {
        self.at - self.first
    }

    /// True if stacks may be unwound through the tables of files: there is memory for them.
    pub(crate) fn unwinds(&self) -> bool {
        self.lean.left == 0
    }

    /// Returns the share of the host's CPU time that the rounds of the window cost.
    pub(crate) fn share(&self) -> f64 {
        let sum = |of: fn(&Cost) -> f64| self.window.iter().map(of).sum::<f64>();
        let host_s = sum(|cost| cost.host_s);
        match host_s > 0.0 {
            true => sum(|cost| cost.cpu_s) / host_s,
            false => 0.0,
        }
    }

    /// Judges a round that is over, and sets the step of the next one.
    pub(crate) fn note(&mut self, cost: Cost) {
        self.note_memory(cost.memory_bytes);
        self.window.push_back(cost);
        if self.window.len() > WINDOW {
            self.window.pop_front();
        }
        if self.window.len() < WINDOW_LEAST {
            return;
        }
        let part = self.share() / self.share_max;
        if part > 1.0 {
            self.fall(if part > 2.0 { 2 } else { 1 });
            return;
        }
        self.calm = if part < WELL_BELOW { self.calm + 1 } else { 0 };
        if self.calm >= self.calm_needed && self.at > self.first {
            self.move_to(self.at - 1);
            self.has_risen = true;
        } else if self.calm >= CALM_MOST {
            // All is well for long: what was too much then may be cheap now.
            (self.calm_needed, self.has_risen) = (CALM_LEAST, false);
        }
    }

    fn fall(&mut self, steps: usize) {
        if self.has_risen {
            self.calm_needed = (self.calm_needed * 2).min(CALM_MOST);
        }
        self.has_risen = false;
        self.calm = 0;
        let to = (self.at + steps).min(STEPS.len() - 1);
        if to > self.at {
            self.move_to(to);
        }
    }

    /// The rounds of another step say nothing of this one.
    fn move_to(&mut self, at: usize) {
        self.at = at;
        self.calm = 0;
        self.window.clear();
    }

    fn note_memory(&mut self, bytes: u64) {
        let lean = &mut self.lean;
        if bytes <= self.memory_bytes_max {
            lean.left = lean.left.saturating_sub(1);
            return;
        }
        lean.left = lean.next;
        lean.next = (lean.next * 2).min(CALM_MOST * 8);
    }
}

/// CPU time for branch records: each round adds to it, and what a recording really cost is taken from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Share of the host's CPU time.
    share: f64,
    left_s: f64,
    /// CPU seconds that a second of recording costs for each second of CPU time that the recorded processes use, as measured.
    price: f64,
}

/// Shortest recording that is worth its start.
const RECORDING_LEAST: Duration = Duration::from_secs(1);
/// Rounds whose budget may be saved.
const SAVED_ROUNDS: f64 = 8.0;

impl Budget {
    /// Creates a budget of a share of the host's CPU time. Before anything was measured, a recording is taken to cost
    /// `price` for each CPU second of what it records.
    pub(crate) fn of(share: f64, price: f64) -> Self {
        Self {
            share,
            left_s: 0.0,
            price,
        }
    }

    /// Adds what a round of the host has to give, and returns for how long processes that use so many CPUs may be recorded
    /// in it; `None` for not at all.
    pub(crate) fn grant(
        &mut self,
        part: f64,
        host_s: f64,
        cores: f64,
        round: Duration,
    ) -> Option<Duration> {
        let given_s = self.share * part * host_s;
        self.left_s = (self.left_s + given_s).min(given_s * SAVED_ROUNDS);
        let costs = self.price * cores.max(0.01);
        let affordable = Duration::try_from_secs_f64(self.left_s.max(0.0) / costs);
        let granted = affordable.unwrap_or(round).min(round);
        (granted >= RECORDING_LEAST.min(round)).then_some(granted)
    }

    /// Takes what a recording of processes that used so many CPU seconds has cost.
    pub(crate) fn spend(&mut self, cpu_s: f64, used_s: f64) {
        self.left_s -= cpu_s;
        if used_s > 0.0 {
            let measured = (cpu_s / used_s).clamp(1e-4, 100.0);
            self.price = 0.5 * self.price + 0.5 * measured;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn cost(share: f64) -> Cost {
        Cost {
            cpu_s: share * 60.0,
            host_s: 60.0,
            memory_bytes: 50 * MIB,
        }
    }

    fn pace() -> Pace {
        Pace::within(0.01, 200 * MIB, true)
    }

    fn after(pace: &mut Pace, share: f64, rounds: usize) -> usize {
        (0..rounds).for_each(|_| pace.note(cost(share)));
        pace.steps_down()
    }

    #[test]
    fn what_costs_too_much_is_thinned_and_comes_back() {
        let mut pace = pace();
        assert_eq!(
            after(&mut pace, 0.015, 1),
            0,
            "one round may be an accident"
        );
        assert_eq!(after(&mut pace, 0.015, 1), 1);
        assert_eq!(pace.step().branches, 0.5);
        assert_eq!(pace.share(), 0.0, "nothing is known of the new step");
        assert_eq!(
            after(&mut pace, 0.008, 100),
            1,
            "more would be over the limit"
        );
        // The window forgets the dear rounds first, and waits for two.
        assert_eq!(after(&mut pace, 0.002, 20), 0);
        assert_eq!(pace.step(), STEPS[0]);
    }

    #[test]
    fn what_costs_far_too_much_falls_faster_and_never_below_the_last_step() {
        let mut pace = pace();
        assert_eq!(after(&mut pace, 0.05, 2), 2);
        assert_eq!(after(&mut pace, 0.05, 100), STEPS.len() - 1);
        let last = pace.step();
        assert!(last.branches == 0.0 && last.slower > 1 && last.longer > 1);
    }

    #[test]
    fn a_step_that_was_too_much_again_is_tried_ever_more_seldom() {
        let mut pace = pace();
        let mut rounds_between = Vec::new();
        for _ in 0..5 {
            after(&mut pace, 0.015, 2);
            assert_eq!(pace.steps_down(), 1);
            let calm = (1..1_000).find(|_| after(&mut pace, 0.001, 1) == 0);
            rounds_between.push(calm.unwrap());
        }
        assert!(
            rounds_between.windows(2).all(|two| two[0] < two[1]),
            "{rounds_between:?}"
        );
    }

    #[test]
    fn without_branches_the_first_step_down_is_of_the_rate() {
        let mut pace = Pace::within(0.01, 200 * MIB, false);
        assert_eq!((pace.steps_down(), pace.step().branches), (0, 0.0));
        assert_eq!(after(&mut pace, 0.015, 2), 1);
        assert_eq!(pace.step().slower, 2);
    }

    #[test]
    fn no_step_costs_less_than_half_of_the_one_before() {
        for two in STEPS.windows(2) {
            assert!(two[1].slower <= 2 * two[0].slower, "{two:?}");
            assert!(two[1].longer >= two[0].longer, "{two:?}");
            assert!(two[1].branches <= two[0].branches, "{two:?}");
        }
    }

    #[test]
    fn too_much_memory_ends_unwinding_for_a_while_longer_each_time() {
        let mut pace = pace();
        let large = Cost {
            memory_bytes: 300 * MIB,
            ..cost(0.001)
        };
        let lean = |pace: &mut Pace| {
            pace.note(large);
            let rounds = (0..1_000).take_while(|_| {
                let is_lean = !pace.unwinds();
                if is_lean {
                    pace.note(cost(0.001));
                }
                is_lean
            });
            rounds.count()
        };
        let (first, second) = (lean(&mut pace), lean(&mut pace));
        assert!(first >= 1 && second == 2 * first, "{first} {second}");
    }

    #[test]
    fn branch_records_get_their_share_over_time_whatever_they_cost() {
        let round = Duration::from_secs(30);
        // 4 CPUs, of which the recorded processes use 2; a second of recording costs 0.06 s, three times what was guessed.
        let (host_s, cores, real) = (4.0 * 30.0, 2.0, 0.03);
        let mut budget = Budget::of(0.002, 0.01);
        let (mut spent_s, mut rounds) = (0.0, 0);
        for _ in 0..1_000 {
            rounds += 1;
            if let Some(granted) = budget.grant(1.0, host_s, cores, round) {
                assert!(granted <= round);
                let used_s = cores * granted.as_secs_f64();
                spent_s += real * used_s;
                budget.spend(real * used_s, used_s);
            }
        }
        let share = spent_s / (host_s * f64::from(rounds));
        assert!((0.0017..=0.0021).contains(&share), "{share}");
    }

    #[test]
    fn a_budget_of_nothing_grants_nothing_and_a_large_one_the_whole_round() {
        let round = Duration::from_secs(30);
        let mut none = Budget::of(0.0, 0.01);
        assert_eq!(none.grant(1.0, 60.0, 1.0, round), None);
        let mut all = Budget::of(0.01, 0.01);
        assert_eq!(all.grant(1.0, 60.0, 1.0, round), Some(round));
        assert_eq!(all.grant(0.0, 60.0, 1.0, round), None, "thinned to nothing");
        let short = Duration::from_millis(500);
        let mut all = Budget::of(0.5, 0.01);
        assert_eq!(all.grant(1.0, 1.0, 1.0, short), Some(short));
    }
}
