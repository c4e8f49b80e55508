//! Recorded numbers in, comparison out.

use hone_measure::{
    AnalyseError, Arm, Experiment, Metric, Observation, Run, Schedule, Stopping, Verdict, analyse,
    power,
};

/// An experiment whose runs cost what `cost` says.
fn experiment(
    workloads: &[&str],
    blocks: usize,
    metric: Metric,
    mut observe: impl FnMut(Arm, usize, usize) -> Observation,
) -> Experiment {
    let schedule = Schedule {
        workloads: workloads.iter().map(|&name| name.to_owned()).collect(),
        blocks,
        seed: 11,
        metric,
        confidence: 0.95,
        stopping: Stopping::Fixed,
        layouts: 1,
        duet: false,
    };
    let runs = schedule
        .requests()
        .map(|request| Run {
            request,
            observation: observe(request.arm, request.workload, request.block),
        })
        .collect();
    Experiment {
        old: "before".into(),
        new: "after".into(),
        schedule,
        runs,
    }
}

fn costing(cpu_s: f64) -> Observation {
    Observation {
        user_s: cpu_s * 0.75,
        system_s: cpu_s * 0.25,
        wall_s: cpu_s * 2.0,
        peak_rss_bytes: 4096,
        work: None,
        stolen_s: 0.0,
        service: None,
    }
}

/// A little scatter that depends on the block alone.
fn wobble(block: usize) -> f64 {
    1.0 + 0.001 * ((block * 7) % 5) as f64
}

#[test]
fn the_gain_is_old_over_new() {
    let result = analyse(&experiment(
        &["w"],
        10,
        Metric::CpuSeconds,
        |arm, _, block| match arm {
            Arm::Old => costing(3.0 * wobble(block)),
            Arm::New => costing(2.0 * wobble(block + 1)),
        },
    ))
    .unwrap();
    assert_eq!(result.verdict, Verdict::Faster);
    assert!(
        (result.overall.ratio - 1.5).abs() < 0.002,
        "{:?}",
        result.overall
    );
    assert!(result.overall.low < result.overall.ratio);
    assert!(result.overall.high > result.overall.ratio);
    assert_eq!(result.overall, result.workloads[0].gain);
    assert!((result.workloads[0].old_median - 3.006).abs() < 0.01);
    assert!((result.workloads[0].new_median - 2.004).abs() < 0.01);
    assert!((result.workloads[0].wall.ratio - 1.5).abs() < 0.002);
}

#[test]
fn overall_is_the_geometric_mean_and_the_range_its_ends() {
    let result = analyse(&experiment(
        &["double", "same", "half"],
        8,
        Metric::CpuSeconds,
        |arm, workload, block| match (arm, workload) {
            (Arm::New, 0) => costing(0.5 * wobble(block)),
            (Arm::New, 2) => costing(4.0 * wobble(block)),
            _ => costing(wobble(block + 2)),
        },
    ))
    .unwrap();
    let product: f64 = result.workloads.iter().map(|one| one.gain.ratio).product();
    assert!((result.overall.ratio - product.cbrt()).abs() < 1e-9);
    assert_eq!(
        result.range,
        (
            result.workloads[2].gain.ratio,
            result.workloads[0].gain.ratio
        )
    );
    assert_eq!(result.workloads[0].verdict, Verdict::Faster);
    assert_eq!(result.workloads[2].verdict, Verdict::Slower);
    assert_eq!(result.verdict, Verdict::Slower);
}

#[test]
fn work_divides_the_cost() {
    // The new arm burns as much CPU in its fixed time, and gets twice as much done.
    let result = analyse(&experiment(
        &["w"],
        6,
        Metric::CpuPerWork,
        |arm, _, block| Observation {
            work: Some(if arm == Arm::New { 200.0 } else { 100.0 } / wobble(block)),
            ..costing(10.0)
        },
    ))
    .unwrap();
    assert!((result.overall.ratio - 2.0).abs() < 1e-9);
    assert!((result.workloads[0].old_median - 0.1).abs() < 0.001);
}

#[test]
fn stolen_time_is_a_share_of_what_was_wanted() {
    let result = analyse(&experiment(&["w"], 4, Metric::CpuSeconds, |_, _, block| {
        Observation {
            stolen_s: 0.25,
            ..costing(0.75 + block as f64 * 1e-9)
        }
    }))
    .unwrap();
    assert!((result.stolen_share - 0.25).abs() < 1e-6);
}

#[test]
fn the_same_experiment_gives_the_same_interval_again_also_from_json() {
    let mut state = 1u64;
    let made = experiment(&["w"], 9, Metric::CpuSeconds, |_, _, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        costing(1.0 + (state >> 40) as f64 * 1e-9)
    });
    let json = serde_json::to_string(&made).unwrap();
    let read: Experiment = serde_json::from_str(&json).unwrap();
    assert_eq!(analyse(&made), analyse(&read));
}

#[test]
fn too_few_blocks() {
    let made = experiment(&["w"], 3, Metric::CpuSeconds, |_, _, _| costing(1.0));
    assert_eq!(
        analyse(&made),
        Err(AnalyseError::TooFewBlocks { blocks: 3 })
    );
    assert_eq!(power(&made), Err(AnalyseError::TooFewBlocks { blocks: 3 }));
}

#[test]
fn no_workloads_and_a_strange_confidence() {
    let made = experiment(&[], 4, Metric::CpuSeconds, |_, _, _| costing(1.0));
    assert_eq!(analyse(&made), Err(AnalyseError::NoWorkload));
    for confidence in [0.0, 1.0, f64::NAN, 95.0] {
        let mut made = experiment(&["w"], 4, Metric::CpuSeconds, |_, _, _| costing(1.0));
        made.schedule.confidence = confidence;
        assert!(
            matches!(analyse(&made), Err(AnalyseError::Confidence { .. })),
            "{confidence}"
        );
    }
}

#[test]
fn a_run_that_cost_nothing_or_is_no_number() {
    for cpu in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let made = experiment(&["w"], 4, Metric::CpuSeconds, |arm, _, block| {
            if arm == Arm::New && block == 2 {
                costing(cpu)
            } else {
                costing(1.0)
            }
        });
        let error = analyse(&made).unwrap_err();
        let AnalyseError::NotPositive {
            workload,
            block,
            arm,
            quantity,
            ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!(
            (workload.as_str(), block, arm, quantity),
            ("w", 2, "new", "CPU seconds")
        );
    }
}

#[test]
fn missing_work_and_work_that_is_nothing() {
    let missing = experiment(&["w"], 4, Metric::CpuPerWork, |_, _, _| costing(1.0));
    assert!(matches!(
        analyse(&missing),
        Err(AnalyseError::MissingWork { .. })
    ));
    let nothing = experiment(&["w"], 4, Metric::CpuPerWork, |_, _, _| Observation {
        work: Some(0.0),
        ..costing(1.0)
    });
    assert!(matches!(
        analyse(&nothing),
        Err(AnalyseError::NotPositive {
            quantity: "work",
            ..
        })
    ));
}

#[test]
fn a_missing_run_and_a_run_too_many() {
    let mut cut = experiment(&["w"], 4, Metric::CpuSeconds, |_, _, _| costing(1.0));
    let last = cut.runs.pop().unwrap();
    assert!(matches!(
        analyse(&cut),
        Err(AnalyseError::IncompleteBlock { block: 3, .. })
    ));
    cut.runs.push(last.clone());
    cut.runs.push(last);
    assert!(matches!(
        analyse(&cut),
        Err(AnalyseError::IncompleteBlock { block: 3, .. })
    ));
}

#[test]
fn a_run_outside_the_schedule() {
    let mut made = experiment(&["w"], 4, Metric::CpuSeconds, |_, _, _| costing(1.0));
    made.runs[0].request.workload = 7;
    assert_eq!(
        analyse(&made),
        Err(AnalyseError::Unscheduled {
            workload: 7,
            block: 0
        })
    );
}

#[test]
fn the_power_follows_from_the_scatter_of_the_blocks() {
    // Log-ratios of +2 % and -2 % in turn: standard deviation about 2 %.
    let made = experiment(&["w"], 16, Metric::CpuSeconds, |arm, _, block| {
        let sign = if block % 2 == 0 { 0.02f64 } else { -0.02 };
        costing(if arm == Arm::Old { sign.exp() } else { 1.0 })
    });
    let power = power(&made).unwrap();
    assert!((0.018..0.03).contains(&power.block_scatter), "{power:?}");
    let now = power.blocks_for(power.provable_ratio).unwrap();
    assert!((16..=17).contains(&now), "{now}");
    assert!(power.blocks_for(1.005).unwrap() > 16);
}
