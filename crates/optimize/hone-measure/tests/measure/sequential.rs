//! Experiments that may end early: the promised error rate, simulated, and the same end after an
//! interruption. Seeds are fixed, so a failure is a change of the method and not bad luck.

use crate::common::{Noise, Simulated};
use hone_measure::{
    AnalyseError, Arm, Comparison, End, Experiment, Metric, Observation, RunRequest, Runner,
    Schedule, Stopping, Verdict, analyse, perform, resume,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testkit::is_long;

/// Simulated experiments per case.
const EXPERIMENTS: u64 = 100;

/// Of 100 experiments at a true level of 5 %, 13 or more fail with probability 0.0015.
const FAILURES_MAX: usize = 12;

fn schedule(workloads: usize, blocks: usize, seed: u64) -> Schedule {
    Schedule {
        workloads: (0..workloads).map(|i| i.to_string()).collect(),
        blocks,
        seed,
        metric: Metric::CpuSeconds,
        confidence: 0.95,
        stopping: Stopping::sequential(),
        layouts: 1,
        duet: false,
    }
}

/// Ten looks, the most that anybody takes.
fn ten_looks() -> Stopping {
    Stopping::Sequential {
        looks: (1..10).map(|tenth| f64::from(tenth) / 10.0).collect(),
    }
}

#[derive(Default, Debug)]
struct Tally {
    called: usize,
    /// Intervals without the truth: overall, and of the first workload alone.
    missed: [usize; 2],
    blocks: usize,
}

fn simulate(experiments: u64, noise: Noise, like: &Schedule, gain: f64) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..experiments {
        let schedule = Schedule {
            seed,
            ..like.clone()
        };
        let mut runner = Simulated::new(seed, noise, gain);
        let experiment = perform(schedule, "old", "new", &mut runner, |_| {}).unwrap();
        let comparison = analyse(&experiment).unwrap();
        tally.called += usize::from(comparison.verdict != Verdict::NoProvableDifference);
        for (missed, interval) in tally
            .missed
            .iter_mut()
            .zip([comparison.overall, comparison.workloads[0].gain])
        {
            *missed += usize::from(gain < interval.low || interval.high < gain);
        }
        tally.blocks += comparison.blocks;
    }
    tally
}

#[test]
fn however_often_one_looks_equals_are_seldom_called_different() {
    for (noise, workloads, stopping) in [
        (Noise::Normal, 1, ten_looks()),
        (Noise::Student3, 1, Stopping::sequential()),
        (Noise::Lognormal, 1, Stopping::sequential()),
        (Noise::Contaminated, 3, Stopping::sequential()),
    ] {
        let like = Schedule {
            stopping,
            ..schedule(workloads, 12, 0)
        };
        let tally = simulate(EXPERIMENTS, noise, &like, 1.0);
        assert!(tally.called <= FAILURES_MAX, "{noise:?}: {tally:?}");
        // Giving up saves runs where there is nothing to find.
        assert!(tally.blocks < 10 * EXPERIMENTS as usize, "{tally:?}");
    }
}

#[test]
fn the_interval_holds_the_true_gain_wherever_it_ended() {
    for noise in [Noise::Normal, Noise::Lognormal] {
        let tally = simulate(EXPERIMENTS, noise, &schedule(2, 12, 0), 1.01);
        assert!(tally.missed.iter().all(|&n| n <= FAILURES_MAX), "{tally:?}");
    }
}

#[test]
fn a_large_gain_ends_at_the_first_look() {
    let tally = simulate(10, Noise::Normal, &schedule(1, 40, 0), 1.2);
    assert_eq!((tally.called, tally.blocks), (10, 10 * 10));
}

/// A run costs what its request says, so that a repeated run costs the same again.
struct Fixed {
    gain: f64,
    left: usize,
}

impl Runner for Fixed {
    type Error = &'static str;

    fn run(&mut self, request: RunRequest) -> Result<Observation, Self::Error> {
        self.left = self.left.checked_sub(1).ok_or("interrupted")?;
        let arm = u64::from(request.arm == Arm::New);
        let mut rng = ChaCha8Rng::seed_from_u64(request.seed ^ arm);
        let gain = if arm == 1 { self.gain } else { 1.0 };
        let cost = (1.0 + 0.02 * rng.random::<f64>()) / gain;
        Ok(Observation {
            user_s: cost,
            system_s: 0.0,
            wall_s: cost,
            peak_rss_bytes: 1,
            work: None,
            stolen_s: 0.0,
            service: None,
        })
    }
}

fn whole(gain: f64, seed: u64) -> (Experiment, Comparison) {
    let mut runner = Fixed {
        gain,
        left: usize::MAX,
    };
    let experiment = perform(schedule(2, 20, seed), "a", "b", &mut runner, |_| {}).unwrap();
    let comparison = analyse(&experiment).unwrap();
    (experiment, comparison)
}

#[test]
fn an_interrupted_experiment_ends_as_an_uninterrupted_one() {
    let mut ends = Vec::new();
    for (gain, seed) in [(1.05, 1), (1.0, 2), (1.003, 3), (1.003, 4)] {
        let (experiment, comparison) = whole(gain, seed);
        ends.push(comparison.early.unwrap().end);
        assert_eq!(experiment.runs.len(), comparison.blocks * 2 * 4);
        // In the middle of a block, at a look, just after it, and at the very end.
        for cut in [0, 13, 5 * 8, 5 * 8 + 1, 10 * 8 - 1, experiment.runs.len()] {
            let mut part = experiment.clone();
            part.runs.truncate(cut);
            let stored = serde_json::to_string(&part).unwrap();
            let part: Experiment = serde_json::from_str(&stored).unwrap();
            let mut runner = Fixed {
                gain,
                left: experiment.runs.len(),
            };
            let resumed = resume(part, &mut runner, |_| {}).unwrap();
            assert_eq!(resumed, experiment, "cut at {cut}");
            assert_eq!(analyse(&resumed).as_ref(), Ok(&comparison));
        }
    }
    assert!(
        ends.contains(&End::Proven) && ends.contains(&End::Futile),
        "{ends:?}"
    );
}

#[test]
fn runs_after_the_end_change_nothing_and_are_dropped() {
    let (experiment, comparison) = whole(1.05, 1);
    assert_eq!(comparison.early.unwrap().end, End::Proven);
    assert!(comparison.blocks < 20);
    let mut all = experiment.clone();
    all.schedule.stopping = Stopping::Fixed;
    let mut runner = Fixed {
        gain: 0.5,
        left: usize::MAX,
    };
    let mut all = resume(all, &mut runner, |_| {}).unwrap();
    all.schedule.stopping = Stopping::sequential();
    let mut judged = analyse(&all).unwrap();
    judged.stolen_share = comparison.stolen_share;
    assert_eq!(judged, comparison);
    let mut none = Fixed { gain: 1.0, left: 0 };
    assert_eq!(resume(all, &mut none, |_| {}).unwrap(), experiment);
}

#[test]
fn an_end_that_was_not_reached_is_no_end() {
    let (mut experiment, comparison) = whole(1.05, 1);
    experiment.runs.truncate(experiment.runs.len() - 1);
    let error = analyse(&experiment).unwrap_err();
    assert!(
        matches!(error, AnalyseError::IncompleteBlock { block, .. } if block + 1 == comparison.blocks),
        "{error}"
    );
}

/// `HONE_LONG=1 cargo test --release -p hone-measure --test measure -- many_experiments --nocapture` prints the table, after many minutes.
#[test]
fn the_level_of_many_experiments() {
    if !is_long() {
        return;
    }
    const MANY: u64 = 2_000;
    println!(
        "noise, workloads, blocks, looks: equals called different, interval missed at 2 % (both in %)"
    );
    for noise in [
        Noise::Normal,
        Noise::Student3,
        Noise::Lognormal,
        Noise::Contaminated,
    ] {
        for (workloads, blocks, stopping) in [
            (1, 6, Stopping::sequential()),
            (1, 20, Stopping::sequential()),
            (1, 20, ten_looks()),
            (3, 12, Stopping::sequential()),
            (1, 60, Stopping::sequential()),
        ] {
            let like = Schedule {
                stopping,
                ..schedule(workloads, blocks, 0)
            };
            let percent = |count: usize| 100.0 * count as f64 / MANY as f64;
            let equal = percent(simulate(MANY, noise, &like, 1.0).called);
            let missed = percent(simulate(MANY, noise, &like, 1.02).missed[0]);
            let looks = match &like.stopping {
                Stopping::Fixed => 1,
                Stopping::Sequential { looks } => looks.len() + 1,
            };
            println!("{noise:?}, {workloads}, {blocks}, {looks}: {equal:.1} {missed:.1}");
            // The standard error of 5 % is 0.5.
            assert!(equal <= 6.5 && missed <= 6.5, "{noise:?}: {equal} {missed}");
        }
    }
}
