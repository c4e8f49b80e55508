//! Regressions: functions of a service that take a larger share of its CPU time than before, or than in another build.
//!
//! ```text
//! batch --[gather]--> step (kept) --[History]--> [look]: builds side by side, the last day and those before
//!                                                   |
//!                                    findings --[Standings]--> what is told, with its [Courses]
//! ```
//!
//! Constraints that shaped this crate:
//! - Samples of a host are not independent of each other, so hosts are the unit of analysis, and nothing is said of too few.
//! - Thousands of functions are tested every few hours for ever: false discoveries are bounded over functions, a finding must
//!   stand in two looks, and how often a look is wrong is measured (`tests/regressions/level.rs`, `bench/hub/regressions`).
//! - The crate is pure: batches in, values out. What is kept between looks are bytes that the caller keeps.

#![forbid(unsafe_code)]

mod alerts;
mod builds;
mod contrast;
mod course;
mod effect;
mod finding;
mod fold;
mod gather;
mod graph;
mod history;
mod judge;
pub mod limits;
mod look;
mod over_time;
mod step;
#[cfg(test)]
mod testing;

pub use alerts::{Acknowledged, Standing, Standings, Status};
pub use course::{Course, Courses, Point};
pub use finding::{
    Cause, Evidence, Filtered, Finding, Interval, Look, Measure, NoClaim, Unit, Why,
};
pub use gather::gather;
pub use history::History;
pub use look::{Thresholds, look};
pub use step::{Call, Cell, Row, Step, StepError, group_of};
