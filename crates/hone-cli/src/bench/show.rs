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
}
