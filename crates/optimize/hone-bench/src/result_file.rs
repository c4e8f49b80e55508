//! The JSON file: everything needed to judge the verdict, or to judge it again.

use hone_measure::{Arm, Comparison, Experiment, Power};
use hone_report::model::Machine;
use hone_run::{clock, machine};
use serde::Serialize;

use crate::{Measurement, Plan};

/// Version of the file's layout.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Stored<'a> {
    format: u32,
    hone_version: &'static str,
    finished_at: String,
    machine: Machine,
    /// The command lines, one entry per workload and arm.
    commands: Vec<Commands<'a>>,
    /// True if one command was compared with itself.
    self_check: bool,
    /// True for a first look with few blocks.
    quick: bool,
    warmup_runs: u32,
    work_expression: Option<&'a str>,
    cpu: Option<usize>,
    comparison: &'a Comparison,
    power: &'a Power,
    experiment: &'a Experiment,
}

#[derive(Serialize)]
struct Commands<'a> {
    workload: &'a str,
    old: String,
    new: String,
}

/// Returns the content of the JSON file.
///
/// # Errors
///
/// Returns an error if a number has no form in JSON.
pub fn stored(plan: &Plan, measurement: &Measurement) -> anyhow::Result<Vec<u8>> {
    let workloads = plan.workloads.iter().enumerate();
    let commands = workloads.map(|(index, workload)| Commands {
        workload: &workload.name,
        old: plan.line(Arm::Old, index),
        new: plan.line(Arm::New, index),
    });
    in_one_line(&Stored {
        format: FORMAT,
        hone_version: env!("CARGO_PKG_VERSION"),
        finished_at: clock::now_utc(),
        machine: machine::describe(),
        commands: commands.collect(),
        self_check: plan.self_check,
        quick: plan.is_quick(),
        warmup_runs: plan.warmup,
        work_expression: plan.work.as_ref().map(regex::Regex::as_str),
        cpu: plan.cpu,
        comparison: &measurement.comparison,
        power: &measurement.power,
        experiment: &measurement.experiment,
    })
}

/// Returns a value as one line of JSON.
pub(crate) fn in_one_line(value: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    Ok(text)
}
