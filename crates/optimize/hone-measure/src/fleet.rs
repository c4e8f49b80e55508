//! Comparison of the CPU cost of two builds that run side by side in production.
//!
//! No run is scheduled here, so nothing is random: an instance runs one build on one host for as long as its operator
//! lets it. The effects of a host, its neighbours and its share of the users on an instance do not average out over time,
//! so an hour of two instances proves no more than a minute. Therefore:
//!
//! - **Time is cut into windows, and only instances in the same window are compared**: changes of the load, and their
//!   effect on the cost of a request, are the same for both builds.
//! - **The unit of analysis is the host** if enough hosts run both builds: one log-ratio per host, the mean over its
//!   windows. The properties of a host are then the same for both builds too. The interval is that of
//!   [`statistics`](crate::statistics).
//! - **The unit of analysis is the instance** otherwise. Log costs are taken as effect of the instance + effect of the
//!   window + rest, fitted by least squares (two-way layout with missing cells: Searle, *Linear Models*, 1971, chapter 7).
//!   The instances of one build are compared with those of the other as two samples of unequal scatter: Yuen's test on
//!   means without the lowest and the highest eighth (Yuen, *Biometrika* 61, 1974), which is Welch's test below eight
//!   instances.
//!
//! `tests/measure/fleet.rs` simulates how often equal builds are called different. No analysis can separate the build from
//! properties that go with it, such as a zone or a kind of machine that has only one of the builds.

mod compare;
mod gather;
mod self_check;

use serde::{Deserialize, Serialize};

use crate::experiment::{Arm, Interval, Metric, Verdict};

pub use compare::compare;
pub use gather::{Gathered, Grid, Grouping, Key, Labels, Series, difference_in_kind};
pub use self_check::SelfCheck;

/// Windows with both builds that an instance or a host needs: with fewer windows, its cost is chance.
pub const WINDOWS_MIN: usize = 4;
/// Instances of either build that are needed if the instance is the unit.
pub const INSTANCES_MIN: usize = 3;
/// Hosts with both builds that are needed for the host to be the unit.
pub const HOSTS_MIN: usize = crate::analyse::BLOCKS_MIN;

/// A service on a host, as long as it runs one build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// Name of the instance.
    pub name: String,
    /// Host that the instance runs on.
    pub host: String,
    /// Build that the instance runs.
    pub arm: Arm,
}

/// CPU time and work of an instance in a window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Index of the instance.
    pub instance: usize,
    /// Number of the window.
    pub window: usize,
    /// CPU seconds.
    pub cpu_s: f64,
    /// Units of work; 1 if the work is not known and windows are compared.
    pub work: f64,
}

/// All raw numbers of a fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fleet {
    /// The quantity that is compared: CPU seconds per unit of work, or per window.
    pub metric: Metric,
    /// Confidence level of the interval.
    pub confidence: f64,
    /// Seed of resampling.
    pub seed: u64,
    /// All instances.
    pub instances: Vec<Instance>,
    /// Windows of the instances, in any order; at most one cell for each instance and window. Cells without CPU time or
    /// work are ignored.
    pub cells: Vec<Cell>,
}

/// Unit that a verdict is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Hosts that ran both builds at the same time.
    Host,
    /// Instances of one build and of the other, at the same time.
    Instance,
}

/// Result of the comparison of a fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FleetComparison {
    /// Unit that the verdict is based on.
    pub unit: Unit,
    /// Number of units with the old build and with the new one.
    pub units: [usize; 2],
    /// Windows in which both builds ran.
    pub windows: usize,
    /// CPU cost old / new.
    pub gain: Interval,
    /// Verdict on the gain.
    pub verdict: Verdict,
    /// Median over the compared instances of the CPU cost of the old and of the new build.
    pub medians: [f64; 2],
    /// The smallest gain that would have been proven in four of five cases.
    pub provable_ratio: f64,
    /// Log-cost of each unit, by its name: for hosts old minus new, for instances relative to their windows.
    pub effects: Vec<(String, f64)>,
    /// Comparison of the old build with itself; `None` if there are too few instances.
    pub self_check: Option<SelfCheck>,
}

impl FleetComparison {
    /// Returns the approximate number of units of either build that prove a gain of `ratio` in four of five cases, if they
    /// scatter as in this fleet. `None` for a ratio that is 1 or not above 0.
    pub fn units_for(&self, ratio: f64) -> Option<usize> {
        let wanted = ratio.ln().abs();
        if !wanted.is_finite() || wanted == 0.0 {
            return None;
        }
        let factor = (self.provable_ratio.ln() / wanted).powi(2);
        // The smaller sample decides the scatter of the difference.
        let fewest = self.units[0].min(self.units[1]);
        Some((fewest as f64 * factor).ceil() as usize)
    }
}

/// Reason why a fleet cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FleetError {
    /// A confidence level outside its range.
    #[error("confidence {confidence} is not between 0.5 and 1")]
    Confidence {
        /// Requested confidence level.
        confidence: f64,
    },
    /// One build has no instance with CPU time and work.
    #[error("no instance of the {arm} build has both CPU time and work in any window")]
    NothingOf {
        /// `old` or `new`.
        arm: &'static str,
    },
    /// The builds ran together for too short a time.
    #[error("both builds ran in {windows} windows; {WINDOWS_MIN} are needed")]
    TooFewWindows {
        /// Windows in which both builds ran.
        windows: usize,
    },
    /// Too few instances, and too few hosts with both builds.
    #[error(
        "{old} instances of the old build, {new} of the new one and {hosts} hosts with both, in {WINDOWS_MIN} windows or \
         more; needed are {INSTANCES_MIN} instances of either, or {HOSTS_MIN} hosts with both"
    )]
    TooFewInstances {
        /// Instances of the old build.
        old: usize,
        /// Instances of the new build.
        new: usize,
        /// Hosts with both builds.
        hosts: usize,
    },
}
