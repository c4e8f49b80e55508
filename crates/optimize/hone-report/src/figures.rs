//! Figures beside the gain in CPU, and the cost of recording, in words.

use crate::model::{LadderReport, RecordingFacts};
use crate::number;
use crate::sentences::title;
use hone_measure::service::{Beside, Quantity};
use hone_measure::{Comparison, WorkloadResult};

/// Returns the wall clock of one workload as a gain; words if the wall clock belongs to neither build.
pub fn wall(comparison: &Comparison, result: &WorkloadResult) -> String {
    match comparison.duet {
        true => "not compared, the runs of a pair shared a CPU".to_owned(),
        false => number::gain_with_interval(&result.wall),
    }
}

/// Returns the peak memory of one workload, before and after: the same figures in all places. For a server, it is the
/// memory of all its processes.
pub fn peak_memory(report: &LadderReport, result: &WorkloadResult) -> [String; 2] {
    let mut beside = report.beside.iter();
    let of_server =
        beside.find(|one| one.workload == result.workload && one.quantity == Quantity::Memory);
    match of_server {
        Some(one) => [one.old, one.new].map(|bytes| number::bytes(bytes as u64)),
        None => [result.old_rss_bytes, result.new_rss_bytes].map(number::bytes),
    }
}

/// Returns a quantity beside CPU: its name, the baseline's value, the winner's value, and the gain with a mark for regressions.
pub fn beside(one: &Beside) -> [String; 4] {
    let digits = number::decimals([&one.gain]);
    let worse = if one.is_regression() { ", worse" } else { "" };
    [
        one.quantity.name().to_owned(),
        one.quantity.shown(one.old),
        one.quantity.shown(one.new),
        format!(
            "{} ({}){worse}",
            number::gain(one.gain.ratio, digits),
            number::span(&one.gain, digits)
        ),
    ]
}

/// Returns the title of the recorded rung, with the name of the build if that is another.
pub fn recorded(report: &LadderReport, facts: &RecordingFacts) -> String {
    let title = title(report, &facts.rung);
    match facts.build.is_empty() || facts.build == facts.rung {
        true => title.to_owned(),
        false => format!("{title}, built as {}", facts.build),
    }
}

/// Describes one recording and its cost in a sentence.
pub fn recording(report: &LadderReport, facts: &RecordingFacts) -> String {
    format!(
        "{}: {} samples, {} branch records ({}) in {}; the program's threads were held up for \
         {}, which is {} of the {} of CPU that the program used.",
        recorded(report, facts),
        number::count(facts.samples),
        number::count(facts.branch_records),
        branch_source(&facts.branches),
        number::seconds(facts.wall_s),
        number::seconds(facts.stopped_s),
        recording_cost(facts),
        number::seconds(facts.target_cpu_s)
    )
}

/// Returns the reason why recordings held the program up by more than production allows; `None` if they did not.
pub fn why_held_up(report: &LadderReport) -> Option<&'static str> {
    const IN_PRODUCTION: f64 = 0.01;
    let mut recordings = report.recordings.iter();
    let is_more = |facts: &RecordingFacts| facts.stopped_s > IN_PRODUCTION * facts.target_cpu_s;
    recordings.any(is_more).then_some(
        "Recording took more than the 1 % that hone record keeps to in production, since the train workloads serve nobody: \
         so it is done sooner.",
    )
}

/// Returns the time held up as a share of the CPU time used.
pub fn recording_cost(facts: &RecordingFacts) -> String {
    number::share(facts.stopped_s / facts.target_cpu_s)
}

/// Returns the source of branch records, for people.
pub fn branch_source(branches: &str) -> &str {
    match branches {
        "lbr" => "from the CPU",
        "walk" => "walked in software",
        "none" => "none asked for",
        other => other,
    }
}
