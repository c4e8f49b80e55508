//! Experiments over several layouts: which run gets which, and what may be said then. Seeds are fixed.

use crate::common::{Noise, Simulated};
use hone_measure::{
    AnalyseError, Comparison, Experiment, Metric, RunRequest, Schedule, Stopping, Verdict, analyse,
    perform, power,
};

/// Simulated experiments per case.
const EXPERIMENTS: u64 = 400;

/// Of 400 experiments at a true level of 5 %, 35 or more fail with probability 0.001.
const FAILURES_MAX: usize = 34;

/// Scatter of one arm's cost between layouts.
const LUCK: f64 = 0.01;

fn schedule(layouts: usize, blocks: usize, seed: u64) -> Schedule {
    Schedule {
        workloads: vec!["x".into(), "y".into()],
        blocks,
        seed,
        metric: Metric::CpuSeconds,
        confidence: 0.95,
        stopping: Stopping::Fixed,
        layouts,
        duet: false,
    }
}

fn simulated(like: &Schedule, seed: u64, noise: Noise, gain: f64, skewed: bool) -> Experiment {
    let schedule = Schedule {
        seed,
        ..like.clone()
    };
    let mut runner = Simulated::new(seed, noise, gain).with_luck(like.layouts, LUCK, skewed);
    perform(schedule, "old", "new", &mut runner, |_| {}).unwrap()
}

fn compared(like: &Schedule, noise: Noise, gain: f64, skewed: bool) -> Vec<Comparison> {
    (0..EXPERIMENTS)
        .map(|seed| analyse(&simulated(like, seed, noise, gain, skewed)).unwrap())
        .collect()
}

#[test]
fn layouts_come_evenly_and_in_random_order_and_a_round_has_one() {
    let requests: Vec<RunRequest> = schedule(5, 20, 3).requests().collect();
    let rounds: Vec<&[RunRequest]> = requests.chunks(2 * 4).collect();
    for round in &rounds {
        assert!(round.iter().all(|run| run.layout == round[0].layout));
    }
    let order: Vec<usize> = rounds.iter().map(|round| round[0].layout).collect();
    for five in order.chunks(5) {
        let mut sorted = five.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4]);
    }
    assert_ne!(order[..5], order[5..10]);
    // The order of arms and workloads is the one without layouts.
    let plain: Vec<RunRequest> = schedule(1, 20, 3).requests().collect();
    let forget = |run: &RunRequest| RunRequest { layout: 0, ..*run };
    assert_eq!(requests.iter().map(forget).collect::<Vec<_>>(), plain);
}

#[test]
fn luck_with_layouts_is_seldom_called_a_difference() {
    for (layouts, blocks, noise, skewed) in [
        (5, 20, Noise::Normal, false),
        (5, 20, Noise::Contaminated, true),
        (10, 20, Noise::Student3, false),
        (7, 28, Noise::Lognormal, true),
    ] {
        let all = compared(&schedule(layouts, blocks, 0), noise, 1.0, skewed);
        let different = |one: &&Comparison| one.verdict != Verdict::NoProvableDifference;
        let called = all.iter().filter(different).count();
        assert!(called <= FAILURES_MAX, "{layouts}, {noise:?}: {called}");
        let of_one = all.iter().map(|one| one.workloads[0].verdict);
        let called = of_one.filter(|&one| one != Verdict::NoProvableDifference);
        assert!(called.count() <= FAILURES_MAX, "{layouts}, {noise:?}");
    }
}

#[test]
fn the_same_runs_without_layouts_would_take_luck_for_a_gain() {
    // What the unit of analysis is for: one build of either arm, with the luck it has.
    let mut called = 0;
    for seed in 0..40 {
        let mut experiment = simulated(&schedule(5, 20, 0), seed, Noise::Normal, 1.0, false);
        experiment.schedule.layouts = 1;
        experiment
            .runs
            .iter_mut()
            .for_each(|run| run.request.layout = 0);
        let verdict = analyse(&experiment).unwrap().verdict;
        called += usize::from(verdict != Verdict::NoProvableDifference);
    }
    assert!(called >= 8, "{called}");
}

#[test]
fn the_interval_holds_the_gain_and_early_ends_do_not_harm_it() {
    let like = Schedule {
        stopping: Stopping::sequential(),
        ..schedule(6, 36, 0)
    };
    for (gain, noise) in [(1.0, Noise::Normal), (1.02, Noise::Contaminated)] {
        let all = compared(&like, noise, gain, false);
        let misses = |one: &&Comparison| gain < one.overall.low || one.overall.high < gain;
        let missed = all.iter().filter(misses).count();
        assert!(missed <= FAILURES_MAX, "{gain}: {missed}");
        assert!(all.iter().any(|one| one.blocks < 36));
        assert!(
            all.iter()
                .all(|one| one.blocks % 6 == 0 && one.blocks >= 12)
        );
    }
}

#[test]
fn the_scatter_between_layouts_is_found_without_the_noise() {
    let mean_square = |all: &[Comparison]| {
        let spreads = all.iter().filter_map(|one| one.layouts.as_ref());
        spreads.map(|spread| spread.scatter.powi(2)).sum::<f64>() / all.len() as f64
    };
    let all = compared(&schedule(6, 48, 0), Noise::Normal, 1.03, false);
    // Both arms have their own luck: the variances add.
    let expected = 2.0 * LUCK * LUCK;
    let found = mean_square(&all);
    assert!(
        (0.85..1.15).contains(&(found / expected)),
        "{found} {expected}"
    );
    let spread = all[0].layouts.as_ref().unwrap();
    assert_eq!(spread.gains.len(), 6);
    assert!(spread.single_build.low < all[0].overall.low);
    assert!(spread.luck_share > 0.0 && spread.luck_share <= 1.0);
}

#[test]
fn power_says_how_many_layouts_are_needed() {
    let experiment = simulated(&schedule(8, 32, 0), 5, Noise::Normal, 1.0, false);
    let power = power(&experiment).unwrap();
    assert_eq!((power.layouts, power.workloads), (8, 2));
    assert!(power.layout_scatter > 0.0);
    let needed = power.needed(1.005, &Stopping::Fixed).unwrap();
    assert!(needed.layouts > 8, "{needed:?}");
    assert_eq!(needed.blocks, needed.layouts * 4);
    let wall_s: f64 = experiment
        .runs
        .iter()
        .map(|run| run.observation.wall_s)
        .sum();
    assert!((power.block_wall_s - wall_s / 32.0).abs() < 1e-9);
}

#[test]
fn too_few_blocks_for_the_layouts_and_a_run_of_a_wrong_one() {
    let few = simulated(&schedule(5, 9, 0), 1, Noise::Normal, 1.0, false);
    let error = AnalyseError::TooFewPerLayout {
        blocks: 9,
        layouts: 5,
    };
    assert_eq!(analyse(&few), Err(error));
    let mut wrong = simulated(&schedule(5, 10, 0), 1, Noise::Normal, 1.0, false);
    wrong.runs[0].request.layout = (wrong.runs[0].request.layout + 1) % 5;
    assert!(matches!(
        analyse(&wrong),
        Err(AnalyseError::WrongLayout { block: 0, .. })
    ));
}

#[test]
fn results_of_before_there_were_layouts_parse_and_look_the_same() {
    let experiment = simulated(&schedule(1, 4, 0), 1, Noise::Normal, 1.0, false);
    let stored = serde_json::to_string(&experiment).unwrap();
    assert!(!stored.contains("layout") && !stored.contains("stopping"));
    assert_eq!(
        serde_json::from_str::<Experiment>(&stored).unwrap(),
        experiment
    );
    let comparison = analyse(&experiment).unwrap();
    let stored = serde_json::to_string(&comparison).unwrap();
    assert!(!stored.contains("layouts") && !stored.contains("early"));
    assert_eq!(
        serde_json::from_str::<Comparison>(&stored).unwrap(),
        comparison
    );
}
