//! Text for the terminal: first the verdict, then its basis.

use std::fmt::Write as _;

use hone_bench::{Measurement, Plan};
use hone_measure::statistics::median;
use hone_measure::{Arm, Comparison, Experiment, Interval, Power, Verdict, WorkloadResult};

/// Ratio that people ask about.
const ASKED_FOR: f64 = 1.01;
/// Number of needed blocks above which a machine is noisy in a way that duets help against.
const NOISY_FROM_BLOCKS: usize = 100;

/// Returns the whole text.
pub(super) fn text(plan: &Plan, measurement: &Measurement) -> String {
    let Measurement {
        experiment,
        comparison,
        power,
    } = measurement;
    let mut text = verdict(plan, comparison);
    text.push('\n');
    for (index, result) in comparison.workloads.iter().enumerate() {
        let wall_s = [Arm::Old, Arm::New].map(|arm| wall_median_s(experiment, index, arm));
        text += &workload(comparison, result, wall_s);
    }
    if comparison.workloads.len() > 1 {
        let (least, most) = comparison.range;
        let _ = writeln!(
            text,
            "All {} workloads: {} (geometric mean), from {least:.3}x to {most:.3}x.\n",
            comparison.workloads.len(),
            gain(comparison.overall, comparison.confidence)
        );
    }
    text += &basis(plan, comparison, power);
    text
}

fn verdict(plan: &Plan, comparison: &Comparison) -> String {
    let what = hone_report::sentences::cpu(comparison.metric);
    let interval = comparison.overall;
    let gain = gain(interval, comparison.confidence);
    let who = if plan.self_check {
        "The command against itself"
    } else {
        "The new command"
    };
    match comparison.verdict {
        Verdict::Faster => {
            let less = (1.0 - 1.0 / interval.ratio) * 100.0;
            format!("Faster. {who} takes {less:.1} % less {what}: {gain}.\n")
        }
        Verdict::Slower => {
            let more = (1.0 / interval.ratio - 1.0) * 100.0;
            format!("Slower. {who} takes {more:.1} % more {what}: {gain}.\n")
        }
        Verdict::NoProvableDifference if plan.self_check => {
            format!("No provable difference of the command against itself in {what}: {gain}.\n")
        }
        Verdict::NoProvableDifference => format!("No provable difference in {what}: {gain}.\n"),
    }
}

pub(super) fn gain(interval: Interval, confidence: f64) -> String {
    format!(
        "old / new = {:.3}x, {} % interval {:.3} to {:.3}",
        interval.ratio,
        percent(confidence),
        interval.low,
        interval.high
    )
}

fn percent(confidence: f64) -> f64 {
    // Ten digits are more than anyone types, and hide that 0.95 is no binary fraction.
    (confidence * 1e12).round() / 1e10
}

fn wall_median_s(experiment: &Experiment, workload: usize, arm: Arm) -> f64 {
    let runs = experiment.runs.iter();
    let of_arm = runs.filter(|run| run.request.workload == workload && run.request.arm == arm);
    let walls: Vec<f64> = of_arm.map(|run| run.observation.wall_s).collect();
    median(&walls)
}

fn workload(comparison: &Comparison, result: &WorkloadResult, wall_s: [f64; 2]) -> String {
    // For runs of a fixed time, the work done per second says more than the wall time, which is always the same.
    let (cpu, wall, wall_s) = if comparison.metric.is_per_work() {
        (
            "CPU seconds per work, median",
            "wall time per work",
            Default::default(),
        )
    } else {
        (
            "CPU seconds, median",
            "wall seconds, median",
            wall_s.map(number),
        )
    };
    let [old_wall, new_wall] = wall_s;
    let title = if comparison.workloads.len() > 1 {
        result.workload.as_str()
    } else {
        ""
    };
    let memory = result.old_rss_bytes as f64 / result.new_rss_bytes as f64;
    let rows = [
        [
            title.into(),
            "old".into(),
            "new".into(),
            "old / new".into(),
            "interval".into(),
        ],
        [
            cpu.into(),
            number(result.old_median),
            number(result.new_median),
            format!("{:.3}x", result.gain.ratio),
            ends(result.gain),
        ],
        // If the two runs of a pair shared a CPU, their wall times say nothing about either command alone.
        if comparison.duet {
            let why = "shared a CPU".into();
            [
                wall.into(),
                String::new(),
                String::new(),
                String::new(),
                why,
            ]
        } else {
            [
                wall.into(),
                old_wall,
                new_wall,
                format!("{:.3}x", result.wall.ratio),
                ends(result.wall),
            ]
        },
        [
            "peak memory, median".into(),
            size(result.old_rss_bytes),
            size(result.new_rss_bytes),
            if memory.is_finite() {
                format!("{memory:.3}x")
            } else {
                String::new()
            },
            String::new(),
        ],
    ];
    let mut text = String::new();
    for [label, old, new, ratio, interval] in rows {
        let line = format!("  {label:<28} {old:>11} {new:>11} {ratio:>10}  {interval}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
    text
}

pub(super) fn ends(interval: Interval) -> String {
    format!("{:.3} to {:.3}", interval.low, interval.high)
}

fn basis(plan: &Plan, comparison: &Comparison, power: &Power) -> String {
    let blocks = comparison.blocks;
    let runs = blocks * hone_measure::RUNS_PER_BLOCK * comparison.workloads.len();
    let in_duets = if plan.duet { " in duets" } else { "" };
    let mut text = format!(
        "{blocks} blocks, {runs} runs{in_duets}, seed {}. ",
        plan.seed
    );
    if plan.is_quick() {
        text += "A quick look: leave out --quick for a narrower interval. ";
    }
    let stolen = comparison.stolen_share * 100.0;
    let _ = writeln!(
        text,
        "Stolen by the hypervisor: {stolen:.2} % of the CPU time wanted."
    );
    let smallest = (power.provable_ratio - 1.0) * 100.0;
    let _ = write!(
        text,
        "A difference of {smallest:.2} % would have been proven in four of five cases"
    );
    match power.blocks_for(ASKED_FOR) {
        Some(needed) if needed > blocks => {
            let _ = writeln!(
                text,
                "; to prove 1 % here you would need {needed} blocks (--blocks {needed})."
            );
            if !plan.duet && needed > NOISY_FROM_BLOCKS {
                text += "This machine is noisy: --duet may need far fewer, if the commands can run at the same time.\n";
            }
        }
        _ => text += ".\n",
    }
    text
}

/// Formats a number with four significant digits, whatever its size.
pub(super) fn number(value: f64) -> String {
    let magnitude = if value > 0.0 {
        value.log10().floor() as i32
    } else {
        0
    };
    match magnitude {
        -3..=3 => format!("{value:.*}", usize::try_from(3 - magnitude).unwrap_or(0)),
        _ => format!("{value:.3e}"),
    }
}

fn size(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use hone_bench::Request;
    use hone_measure::{
        Metric, Observation, RunRequest, Runner, Schedule, Stopping, analyse, perform, power,
    };

    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!(number(0.812_345), "0.8123");
        assert_eq!(number(12.3456), "12.35");
        assert_eq!(number(1234.56), "1235");
        assert_eq!(number(0.001_234_5), "0.001234");
        assert_eq!(number(0.000_012_345), "1.234e-5");
        assert_eq!(number(0.0), "0.000");
    }

    #[test]
    fn levels_are_shown_as_they_were_typed() {
        assert_eq!(percent(0.95).to_string(), "95");
        assert_eq!(percent(0.999).to_string(), "99.9");
        assert_eq!(percent(0.57).to_string(), "57");
    }

    /// Runs with these CPU seconds of the old and the new command, which differ a little from run to run, and this work.
    struct Recorded {
        cpu_s: [f64; 2],
        work: [Option<f64>; 2],
    }

    impl Runner for Recorded {
        type Error = std::convert::Infallible;

        fn run(&mut self, request: RunRequest) -> Result<Observation, Self::Error> {
            let arm = match request.arm {
                Arm::Old => 0,
                Arm::New => 1,
            };
            let user_s = self.cpu_s[arm] * (1.0 + (request.block % 3) as f64 * 0.002);
            Ok(Observation {
                user_s,
                system_s: 0.0,
                wall_s: user_s * 1.1,
                peak_rss_bytes: 1 << 20,
                work: self.work[arm],
                stolen_s: 0.0,
                service: None,
            })
        }
    }

    /// What is said of such runs, of one command or of two.
    fn said(cpu_s: [f64; 2], work: [Option<f64>; 2], new: Option<&str>) -> (String, Verdict) {
        let plan = Plan::new(Request {
            old: "./old".into(),
            new: new.map(str::to_owned),
            workloads: Vec::new(),
            blocks: Some(6),
            quick: false,
            work: work[0].map(|_| "did ([0-9]+)".to_owned()),
            seed: Some(5),
            confidence: 0.95,
            warmup: 1,
            allow_short: true,
            cpu: None,
            duet: false,
            timeout_s: None,
        });
        let plan = plan.unwrap();
        let schedule = Schedule {
            workloads: vec!["command".into()],
            blocks: 6,
            seed: 5,
            metric: Metric::new(work[0].is_some(), false),
            confidence: 0.95,
            stopping: Stopping::Fixed,
            layouts: 1,
            duet: false,
        };
        let mut runs = Recorded { cpu_s, work };
        let experiment = perform(schedule, &plan.old, &plan.new, &mut runs, |_| {});
        let Ok(experiment) = experiment else {
            panic!("recorded runs do not fail")
        };
        let measurement = Measurement {
            comparison: analyse(&experiment).unwrap(),
            power: power(&experiment).unwrap(),
            experiment,
        };
        let verdict = measurement.comparison.verdict;
        (text(&plan, &measurement), verdict)
    }

    #[test]
    fn the_verdict_comes_first_and_its_basis_last() {
        let (faster, verdict) = said([3.0, 1.0], [None; 2], Some("./new"));
        assert_eq!(verdict, Verdict::Faster);
        for part in [
            "Faster. The new command takes 66.7 % less CPU",
            "CPU seconds, median",
            "peak memory",
            "6 blocks, 24 runs, seed 5.",
            "Stolen by the hypervisor",
            "would have been proven",
        ] {
            assert!(faster.contains(part), "{part}: {faster}");
        }
        let (slower, verdict) = said([1.0, 3.0], [None; 2], Some("./new"));
        assert_eq!(verdict, Verdict::Slower);
        assert!(
            slower.starts_with("Slower. The new command takes 200.0 % more"),
            "{slower}"
        );
        let (same, verdict) = said([1.0, 1.0], [None; 2], None);
        assert_eq!(verdict, Verdict::NoProvableDifference);
        assert!(same.contains("of the command against itself"), "{same}");
    }

    #[test]
    fn work_turns_cost_into_cost_per_unit() {
        let (text, verdict) = said([1.0, 1.0], [Some(100.0), Some(1000.0)], Some("./new"));
        assert_eq!(verdict, Verdict::Faster);
        assert!(text.contains("90.0 % less CPU per unit of work"), "{text}");
        assert!(text.contains("CPU seconds per work, median"), "{text}");
    }
}
