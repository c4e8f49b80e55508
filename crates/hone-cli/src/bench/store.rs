//! The JSON file: everything needed to judge the verdict, or to judge it again.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use hone_measure::{Comparison, Experiment, Power};
use hone_report::model::Machine;
use serde::Serialize;

use super::plan::{Length, Plan};
use crate::output::to_stdout;
use hone_run::machine;

/// Version of the file's layout.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Stored<'a> {
    format: u32,
    hone_version: &'static str,
    finished_at: String,
    machine: Machine,
    /// The command lines, one entry per workload and arm.
    commands: Vec<Commands>,
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
struct Commands {
    workload: String,
    old: String,
    new: String,
}

/// Writes the result to the file, whole or not at all, or prints it if no file is given.
pub(super) fn write(
    file: Option<&Path>,
    plan: &Plan,
    experiment: &Experiment,
    comparison: &Comparison,
    power: &Power,
) -> anyhow::Result<()> {
    use hone_measure::Arm::{New, Old};
    let commands = plan
        .workloads
        .iter()
        .enumerate()
        .map(|(index, workload)| Commands {
            workload: workload.name.clone(),
            old: plan.line(Old, index),
            new: plan.line(New, index),
        });
    let stored = Stored {
        format: FORMAT,
        hone_version: env!("CARGO_PKG_VERSION"),
        finished_at: now(),
        machine: machine::describe(),
        commands: commands.collect(),
        self_check: plan.self_check,
        quick: matches!(plan.length, Length::Time { quick: true, .. }),
        warmup_runs: plan.warmup,
        work_expression: plan.work.as_ref().map(regex::Regex::as_str),
        cpu: plan.cpu,
        comparison,
        power,
        experiment,
    };
    match file {
        Some(file) => write_whole(file, &stored),
        None => print(&stored),
    }
}

/// Prints a value as JSON.
pub(super) fn print(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    to_stdout(&text)
}

/// Writes a value as JSON, whole or not at all.
pub(super) fn write_whole(file: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let directory = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let mut temporary = tempfile::Builder::new()
        .prefix(".hone-bench-")
        .permissions(permissions())
        .tempfile_in(directory)
        .context("temporary file beside it")?;
    serde_json::to_writer(&mut temporary, value)?;
    temporary.write_all(b"\n")?;
    temporary.persist(file)?;
    Ok(())
}

/// Returns the permissions of any other new file: readable for all but what umask forbids.
fn permissions() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// Returns the time now in RFC 3339, in UTC with whole seconds.
pub(super) fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second())
        .unwrap_or(now)
        .to_string()
}
