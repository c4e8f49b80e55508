//! Compares the CPU cost of two commands in runs that are made for it, or of two builds of a service that run already.
//!
//! | module | content |
//! |---|---|
//! | [`Plan`] | a request, checked, with nothing left to decide but the number of blocks |
//! | [`measure`] | the runs of a plan: warm-up, experiment, verdict |
//! | [`fleet`] | two builds in production, from the series that hone-agent stored |
//!
//! The layout of an experiment is fixed before its first run: the warm-up runs, which are thrown away, show how long a
//! run takes, and so how many blocks fit into about a minute. Nobody can stop at a lucky moment.
#![forbid(unsafe_code)]

pub mod fleet;
mod plan;
mod result_file;
mod runs;

use anyhow::Context;
use hone_files::advice::Advise;
use hone_measure::{Comparison, Experiment, Power, analyse, perform, power};

pub use self::plan::{Plan, Request, Workload};
pub use self::result_file::stored;
pub use self::runs::Failure;
use self::runs::Runs;

/// Shows the progress of an experiment.
pub trait Progress {
    /// Begins so many runs for one purpose.
    fn begin(&mut self, runs: u64, purpose: &'static str);
    /// Sets the number of runs that are done.
    fn done(&mut self, runs: u64);
    /// Ends the runs for this purpose, whether they succeeded or not.
    fn end(&mut self);
}

/// All numbers of an experiment, and what they prove.
pub struct Measurement {
    /// Raw numbers of all runs.
    pub experiment: Experiment,
    /// Gains and verdict.
    pub comparison: Comparison,
    /// The gains that could have been proven.
    pub power: Power,
}

/// Warms up, measures and judges.
///
/// # Errors
///
/// Returns an error if a run fails, is too short to mean anything, or is interrupted.
pub fn measure(plan: &Plan, progress: &mut dyn Progress) -> Result<Measurement, Failure> {
    let mut runs = Runs::new(plan);
    let wall_s_per_block = warm_up(plan, &mut runs, progress)?;
    let schedule = plan.schedule(wall_s_per_block);
    progress.begin(schedule.runs() as u64, "measuring");
    let outcome = perform(schedule, &plan.old, &plan.new, &mut runs, |so_far| {
        progress.done(so_far.runs.len() as u64);
    });
    progress.end();
    let experiment = outcome.map_err(|stopped| stopped.error)?;
    let comparison = analyse(&experiment)
        .context("the runs cannot be compared")
        .next("make the workload longer, so that every run uses CPU time")?;
    let power = power(&experiment).context("the runs cannot be compared")?;
    Ok(Measurement {
        experiment,
        comparison,
        power,
    })
}

/// Runs all commands a few times before the experiment, and returns the wall seconds of one block of all workloads.
fn warm_up(plan: &Plan, runs: &mut Runs, progress: &mut dyn Progress) -> Result<f64, Failure> {
    progress.begin(runs.warm_up_runs(), "warming up");
    let wall_s_per_block = runs.warm_up(|done| progress.done(done));
    progress.end();
    let wall_s = wall_s_per_block?;
    if !plan.allow_short {
        runs.check_length()?;
    }
    Ok(wall_s)
}
