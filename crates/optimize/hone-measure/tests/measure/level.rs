//! Simulated experiments: how often equals are called different, and how often the interval holds the
//! truth. Seeds are fixed, so a failure is a change of the method and not bad luck.

use crate::common::{Noise, Simulated};
use hone_measure::{Metric, Schedule, Stopping, Verdict, analyse, perform};
use testkit::is_long;

/// Simulated experiments per case.
const EXPERIMENTS: usize = 200;

/// Of 200 experiments at a true level of 5 %, 21 or more fail with probability 0.001.
const FAILURES_MAX: usize = 20;

/// How many experiments gave each verdict, and in how many the interval missed the truth.
struct Tally {
    faster: usize,
    slower: usize,
    missed: usize,
}

fn simulate(noise: Noise, workloads: usize, blocks: usize, gain: f64, drift: f64) -> Tally {
    simulate_many(EXPERIMENTS, noise, workloads, blocks, gain, drift)
}

fn simulate_many(
    experiments: usize,
    noise: Noise,
    workloads: usize,
    blocks: usize,
    gain: f64,
    drift: f64,
) -> Tally {
    let mut tally = Tally {
        faster: 0,
        slower: 0,
        missed: 0,
    };
    for seed in 0..experiments as u64 {
        let schedule = Schedule {
            workloads: (0..workloads).map(|i| i.to_string()).collect(),
            blocks,
            seed,
            metric: Metric::CpuSeconds,
            confidence: 0.95,
            stopping: Stopping::Fixed,
            layouts: 1,
            duet: false,
        };
        let mut runner = Simulated::new(seed, noise, gain);
        runner.drift = drift;
        let experiment = perform(schedule, "old", "new", &mut runner, |_| {}).unwrap();
        let comparison = analyse(&experiment).unwrap();
        match comparison.verdict {
            Verdict::Faster => tally.faster += 1,
            Verdict::Slower => tally.slower += 1,
            Verdict::NoProvableDifference => {}
        }
        let held = comparison.overall.low <= gain && gain <= comparison.overall.high;
        tally.missed += usize::from(!held);
    }
    tally
}

#[test]
fn equals_are_seldom_called_different() {
    for (noise, blocks) in [
        (Noise::Normal, 8),
        (Noise::Lognormal, 20),
        (Noise::Contaminated, 4),
        (Noise::Contaminated, 12),
    ] {
        let tally = simulate(noise, 1, blocks, 1.0, 0.0);
        let called = tally.faster + tally.slower;
        assert!(
            called <= FAILURES_MAX,
            "{noise:?}, {blocks} blocks: {called}"
        );
        assert_eq!(called, tally.missed);
    }
}

#[test]
fn a_level_that_is_never_used_up_would_waste_runs() {
    // At 5 % the expectation is 10; 2 or fewer happen with probability 0.002.
    let tally = simulate(Noise::Normal, 1, 20, 1.0, 0.0);
    assert!(
        tally.faster + tally.slower >= 3,
        "{}",
        tally.faster + tally.slower
    );
}

#[test]
fn the_interval_holds_the_true_gain() {
    for noise in [Noise::Normal, Noise::Lognormal, Noise::Contaminated] {
        let tally = simulate(noise, 1, 12, 1.3, 0.0);
        assert!(tally.missed <= FAILURES_MAX, "{noise:?}: {}", tally.missed);
        assert_eq!(tally.faster, EXPERIMENTS, "{noise:?}");
    }
}

#[test]
fn several_workloads_keep_the_level_together() {
    let tally = simulate(Noise::Contaminated, 3, 8, 1.0, 0.0);
    let called = tally.faster + tally.slower;
    assert!(called <= FAILURES_MAX, "{called}");
}

#[test]
fn a_drifting_machine_makes_no_difference() {
    let tally = simulate(Noise::Normal, 1, 12, 1.0, 0.01);
    let called = tally.faster + tally.slower;
    assert!(called <= FAILURES_MAX, "{called}");
}

#[test]
fn a_real_difference_is_found_and_never_in_the_wrong_direction() {
    let tally = simulate(Noise::Contaminated, 1, 20, 0.97, 0.0);
    assert!(tally.slower >= 190, "{}", tally.slower);
    assert_eq!(tally.faster, 0);
}

/// The table behind the choice of the method; `HONE_LONG=1 cargo test --release -p hone-measure --test measure -- many_experiments
/// --nocapture` prints it.
#[test]
fn the_level_and_the_power_of_many_experiments() {
    if !is_long() {
        return;
    }
    const MANY: usize = 2_000;
    println!("noise, blocks: equals called different, a gain of 1 % found (both in %)");
    for noise in [
        Noise::Normal,
        Noise::Lognormal,
        Noise::Contaminated,
        Noise::Rough,
    ] {
        for blocks in [4, 6, 8, 12, 20, 40] {
            let equal = simulate_many(MANY, noise, 1, blocks, 1.0, 0.0);
            let gain = simulate_many(MANY, noise, 1, blocks, 1.01, 0.0);
            let percent = |count: usize| 100.0 * count as f64 / MANY as f64;
            let called = percent(equal.faster + equal.slower);
            println!(
                "{noise:?}, {blocks}: {called:.1} {:.1}",
                percent(gain.faster)
            );
            // The standard error of 5 % is 0.5.
            assert!(called <= 6.5, "{noise:?}, {blocks} blocks: {called}");
        }
    }
}
