//! Text for the terminal about a fleet: first the verdict, then its basis, then doubts.

use std::fmt::Write as _;

use hone_bench::fleet::{Build, Compared, Known};
use hone_measure::fleet::{FleetComparison, Unit, difference_in_kind};
use hone_measure::statistics::median;
use hone_measure::{Arm, Verdict};

use crate::bench::show::{ends, gain, number};

/// Ratio that people ask about.
const ASKED_FOR: f64 = 1.01;
/// Shares above which a doubt is worth a sentence.
const MIX_WORTH_SAYING: f64 = 0.02;
const THROTTLED_WORTH_SAYING: f64 = 0.01;
const UNATTRIBUTED_WORTH_SAYING: f64 = 0.05;
/// Standard error of a window's CPU time, as a share of it, above which a longer window helps.
const SAMPLING_WORTH_SAYING: f64 = 0.1;
/// CPU seconds of a window below which the kernel's ticks of 10 ms make noise.
const CELL_MIN_S: f64 = 0.5;
/// Number of digits of a build id that are shown.
const DIGITS: usize = 12;

/// Returns the whole text.
pub(super) fn text(compared: &Compared) -> String {
    let mut text = verdict(compared);
    text.push('\n');
    text += &table(compared);
    text.push('\n');
    text += &basis(compared);
    for doubt in doubts(compared) {
        let _ = writeln!(text, "Mind: {doubt}");
    }
    text
}

fn name(build: &Build) -> String {
    let executables: Vec<&str> = build.executables.iter().map(String::as_str).collect();
    let digits = build.id.get(..DIGITS).unwrap_or(&build.id);
    format!("{digits} ({})", executables.join(", "))
}

fn verdict(compared: &Compared) -> String {
    let comparison = &compared.comparison;
    let what = match &compared.plan.work {
        Some(work) => format!("CPU per unit of {work}"),
        None => "CPU".into(),
    };
    let [old, new] = [0, 1].map(|arm| name(&compared.builds[arm]));
    let ratio = comparison.gain.ratio;
    let gain = gain(comparison.gain, compared.plan.confidence);
    match comparison.verdict {
        Verdict::Faster => {
            let less = (1.0 - 1.0 / ratio) * 100.0;
            format!("Faster. Build {new} takes {less:.1} % less {what} than {old}: {gain}.\n")
        }
        Verdict::Slower => {
            let more = (1.0 / ratio - 1.0) * 100.0;
            format!("Slower. Build {new} takes {more:.1} % more {what} than {old}: {gain}.\n")
        }
        Verdict::NoProvableDifference => {
            format!("No provable difference between build {new} and {old} in {what}: {gain}.\n")
        }
    }
}

fn table(compared: &Compared) -> String {
    let comparison = &compared.comparison;
    let window_s = compared.plan.grid.window_s as f64;
    let mut rows = vec![["", "old", "new", "old / new", "interval"].map(str::to_owned)];
    let (cpu, per) = match compared.plan.work {
        Some(_) => ("CPU seconds per work, median", 1.0),
        None => ("CPU per instance, median", window_s),
    };
    let [old, new] = comparison.medians.map(|median| number(median / per));
    let ratio = format!("{:.3}x", comparison.gain.ratio);
    rows.push([cpu.into(), old, new, ratio, ends(comparison.gain)]);
    let mut row = |title: &str, values: [String; 2]| {
        let [old, new] = values;
        rows.push([title.into(), old, new, String::new(), String::new()]);
    };
    if compared.plan.work.is_some() {
        let per_s = |arm| median(&cells(compared, arm, |cell| cell.work / window_s));
        row(
            "work per second, median",
            ARMS.map(|arm| number(per_s(arm))),
        );
    }
    row(
        "instances",
        ARMS.map(|arm| instances(compared, arm).to_string()),
    );
    let share =
        |sums: [f64; 2]| shares(compared, sums).map(|share| format!("{:.2} %", share * 100.0));
    if let Known::Metered {
        throttled_s,
        unattributed_s,
    } = compared.known
    {
        row("throttled, of CPU time", share(throttled_s));
        row("CPU time of no process seen", share(unattributed_s));
    }
    let mut text = String::new();
    for [label, old, new, ratio, interval] in rows {
        let line = format!("  {label:<28} {old:>11} {new:>11} {ratio:>10}  {interval}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn basis(compared: &Compared) -> String {
    let FleetComparison {
        unit,
        units: [old, new],
        windows,
        ..
    } = compared.comparison;
    let comparison = &compared.comparison;
    let window_s = compared.plan.grid.window_s;
    let mut text = match unit {
        Unit::Host => format!("{old} hosts that ran both builds"),
        Unit::Instance => format!("{old} instances of the old build against {new} of the new one"),
    };
    let _ = writeln!(
        text,
        ", {windows} windows of {window_s} s, seed {}.",
        compared.plan.seed
    );
    match comparison.self_check {
        Some(check) => {
            let share = 100.0 * check.different as f64 / check.splits as f64;
            let _ = writeln!(
                text,
                "The old build against itself: its instances, split in two in {} ways, differ provably in {share:.1} % of \
                 them; 95 % of the ways differ by less than {:.1} %.",
                check.splits,
                (check.spread_ratio - 1.0) * 100.0
            );
        }
        None => text += "The old build against itself: not with fewer than 6 of its instances.\n",
    }
    let smallest = (comparison.provable_ratio - 1.0) * 100.0;
    let _ = write!(
        text,
        "A difference of {smallest:.2} % would have been proven in four of five cases"
    );
    let enough = old.min(new);
    match comparison.units_for(ASKED_FOR) {
        Some(needed) if needed > enough => {
            let what = match unit {
                Unit::Host => "hosts",
                Unit::Instance => "instances of either build",
            };
            let _ = writeln!(
                text,
                "; to prove 1 % here you would need about {needed} {what}."
            );
        }
        _ => text += ".\n",
    }
    text
}

/// Returns the reasons to doubt that the build is the cause of the difference.
fn doubts(compared: &Compared) -> Vec<String> {
    let mut doubts = Vec::new();
    if compared.plan.work.is_none() {
        doubts.push(
            "without --work this is CPU time of an instance, not of a request: it holds only if every instance gets as \
             much load."
                .into(),
        );
    }
    if compared.comparison.unit == Unit::Instance {
        doubts.push("the builds run on different hosts: what one kind of host or zone has and the other has not counts as the build's.".into());
    }
    if let Some((apart, kind, [old, new])) = difference_in_kind(&compared.gathered.mix)
        && apart > MIX_WORTH_SAYING
    {
        doubts.push(format!(
            "the work is not the same: {:.0} % of it would have to be of another kind; {kind} is {:.0} % of the old build's and \
             {:.0} % of the new one's.",
            apart * 100.0,
            old * 100.0,
            new * 100.0
        ));
    }
    doubts.extend(match compared.known {
        Known::Metered {
            throttled_s,
            unattributed_s,
        } => of_meters(compared, throttled_s, unattributed_s),
        Known::Sampled {
            error,
            hosts_left_out,
        } => of_samples(error, hosts_left_out),
    });
    if compared.gathered.left_out > 0 {
        doubts.push(format!(
            "{} windows of instances are left out, since an agent or an instance began in them.",
            compared.gathered.left_out
        ));
    }
    doubts
}

/// Returns the reasons to doubt what agents have read.
fn of_meters(compared: &Compared, throttled_s: [f64; 2], unattributed_s: [f64; 2]) -> Vec<String> {
    let mut doubts = Vec::new();
    let [old, new] = shares(compared, throttled_s);
    if (old - new).abs() > THROTTLED_WORTH_SAYING {
        doubts.push(
            "one build is throttled more than the other; caches go cold while a service waits."
                .into(),
        );
    }
    let unattributed = shares(compared, unattributed_s);
    if unattributed
        .iter()
        .any(|share| *share > UNATTRIBUTED_WORTH_SAYING)
    {
        doubts.push("processes that live shorter than the agent's interval are not compared: see CPU time of no process seen.".into());
    }
    let cell_s = median(
        &ARMS
            .map(|arm| cells(compared, arm, |cell| cell.cpu_s))
            .concat(),
    );
    if cell_s < CELL_MIN_S {
        doubts.push(format!(
            "a window of an instance has {} CPU seconds, which the kernel counts by 0.01: a longer --window has less noise.",
            number(cell_s)
        ));
    }
    doubts
}

/// Returns the reasons to doubt what a hub has added up.
fn of_samples(error: f64, hosts_left_out: usize) -> Vec<String> {
    let mut doubts = Vec::new();
    if error > SAMPLING_WORTH_SAYING {
        doubts.push(format!(
            "samples tell the CPU time of an instance in a window to {:.0} % (standard error): a longer --window has less noise.",
            error * 100.0
        ));
    }
    if hosts_left_out > 0 {
        doubts.push(format!(
            "{hosts_left_out} hosts are left out: a hub tells those that used most."
        ));
    }
    doubts
}

const ARMS: [Arm; 2] = [Arm::Old, Arm::New];

fn instances(compared: &Compared, arm: Arm) -> usize {
    compared
        .fleet
        .instances
        .iter()
        .filter(|instance| instance.arm == arm)
        .count()
}

fn cells(
    compared: &Compared,
    arm: Arm,
    of: impl Fn(&hone_measure::fleet::Cell) -> f64,
) -> Vec<f64> {
    let cells = compared.fleet.cells.iter();
    let of_arm = cells.filter(|cell| compared.fleet.instances[cell.instance].arm == arm);
    of_arm.map(of).collect()
}

/// Returns the given seconds of each build over its CPU seconds.
fn shares(compared: &Compared, seconds: [f64; 2]) -> [f64; 2] {
    let cpu_s = ARMS.map(|arm| cells(compared, arm, |cell| cell.cpu_s).iter().sum::<f64>());
    [0, 1].map(|arm| {
        if cpu_s[arm] > 0.0 {
            seconds[arm] / cpu_s[arm]
        } else {
            0.0
        }
    })
}
