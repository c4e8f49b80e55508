//! Paired experiments: a schedule of runs, statistics over them, and a verdict.
//!
//! The crate is pure: it decides *what* to run next and what the numbers mean. Running a process, reading
//! clocks and storing files happen behind [`Runner`], so that schedules and statistics are tested with
//! recorded durations and never with sleeps.
//!
//! A gain is always CPU old / new: above 1 is better.
#![forbid(unsafe_code)]

pub mod analyse;
pub mod experiment;
pub mod fleet;
mod layouts;
mod pairs;
pub mod power;
pub mod schedule;
mod sequential;
pub mod service;
pub mod statistics;
mod steps;
mod verdict;

pub use analyse::{AnalyseError, BLOCKS_MIN, analyse};
pub use experiment::{
    Arm, Comparison, Early, End, Experiment, Interval, LayoutSpread, Metric, Observation, Run,
    RunRequest, Runner, Schedule, Stopping, Verdict, WorkloadResult,
};
pub use power::{Needed, Power, power};
pub use schedule::{RUNS_PER_BLOCK, Stopped, finished_runs, perform, resume};
pub use service::ServiceObservation;
pub use steps::{Misfit, misfit};
