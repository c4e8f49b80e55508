//! Two builds that run side by side in production: what may be said of their CPU cost.
//!
//! Nothing is scheduled here, so nothing is random: an instance runs one build on one host for as long as somebody
//! lets it. What a host, its neighbours and its share of the users do to an instance does not average out with time,
//! so an hour of two instances is no more proof than a minute of them. Therefore:
//!
//! - **Time is cut into windows, and compared are only instances in the same window**: load that comes and goes, and
//!   what it does to the cost of a request, is the same for both builds.
//! - **The unit of analysis is the host** where enough hosts run both builds: one log-ratio each, the mean over its
//!   windows. What is particular to a host is then the same for both builds too. The interval is that of
//!   [`statistics`](crate::statistics).
//! - **It is the instance** otherwise. Log costs are taken as effect of the instance + effect of the window + rest,
//!   fitted by least squares (two-way layout with missing cells: Searle, *Linear Models*, 1971, chapter 7), and the
//!   instances of one build are compared with those of the other as two samples of unequal scatter: Yuen's test on means
//!   that lack an eighth at either end (Yuen, *Biometrika* 61, 1974), which is Welch's below eight instances.
//!
//! How often equals are called different is simulated in `tests/fleet.rs`. No analysis can tell the build from what
//! goes with it, such as a zone or a kind of machine that has only the one.

mod compare;
mod self_check;

use serde::{Deserialize, Serialize};

use crate::experiment::{Arm, Interval, Metric, Verdict};

pub use compare::compare;
pub use self_check::SelfCheck;

/// Windows that an instance, or a host, needs with both builds running: below, its cost is chance.
pub const WINDOWS_MIN: usize = 4;
/// Instances of either build that are needed where the instance is the unit.
pub const INSTANCES_MIN: usize = 3;
/// Hosts with both builds that are needed for the host to be the unit.
pub const HOSTS_MIN: usize = crate::analyse::BLOCKS_MIN;

/// One instance: a service on a host, as far as it runs one build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// What it is called.
    pub name: String,
    /// The host that it runs on.
    pub host: String,
    /// Which build it runs.
    pub arm: Arm,
}

/// What an instance took and did in a window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Index of the instance.
    pub instance: usize,
    /// Number of the window.
    pub window: usize,
    /// CPU seconds.
    pub cpu_s: f64,
    /// Units of work; 1 where work is not known and windows are compared.
    pub work: f64,
}

/// All raw numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fleet {
    /// What is compared: CPU seconds per unit of work, or of windows.
    pub metric: Metric,
    /// Confidence level of the interval.
    pub confidence: f64,
    /// Seed of resampling.
    pub seed: u64,
    /// All instances.
    pub instances: Vec<Instance>,
    /// Their windows, in any order; at most one for each instance and window. Those without CPU time or work count for
    /// nothing.
    pub cells: Vec<Cell>,
}

/// What the verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Hosts that ran both builds at the same time.
    Host,
    /// Instances of one build and of the other, at the same time.
    Instance,
}

/// What may be said of a fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FleetComparison {
    /// What the verdict rests on.
    pub unit: Unit,
    /// How many of these there are with the old build and with the new one.
    pub units: [usize; 2],
    /// Windows in which both builds ran.
    pub windows: usize,
    /// Old / new.
    pub gain: Interval,
    /// What may be said of it.
    pub verdict: Verdict,
    /// Median over the units of the CPU cost of the old and of the new build.
    pub medians: [f64; 2],
    /// The smallest gain that would have been proven in four of five cases.
    pub provable_ratio: f64,
    /// The log-cost of each unit, by its name: of hosts old minus new, of instances relative to their windows.
    pub effects: Vec<(String, f64)>,
    /// The old build against itself; `None` where there are too few units.
    pub self_check: Option<SelfCheck>,
}

impl FleetComparison {
    /// About how many units of either build it takes to prove a gain of `ratio` in four of five cases, if they scatter
    /// as these do. `None` for a ratio that is not above 0 and other than 1.
    pub fn units_for(&self, ratio: f64) -> Option<usize> {
        let wanted = ratio.ln().abs();
        if !wanted.is_finite() || wanted == 0.0 {
            return None;
        }
        let factor = (self.provable_ratio.ln() / wanted).powi(2);
        // Two samples scatter as the smaller one does.
        let fewest = self.units[0].min(self.units[1]);
        Some((fewest as f64 * factor).ceil() as usize)
    }
}

/// Why a fleet cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FleetError {
    /// A confidence level that is none.
    #[error("confidence {confidence} is not between 0.5 and 1")]
    Confidence {
        /// What was asked for.
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
        /// Windows in which both did.
        windows: usize,
    },
    /// Too few instances, and too few hosts with both builds.
    #[error(
        "{old} instances of the old build, {new} of the new one and {hosts} hosts with both, in {WINDOWS_MIN} windows or \
         more; needed are {INSTANCES_MIN} instances of either, or {HOSTS_MIN} hosts with both"
    )]
    TooFewInstances {
        /// Of the old build.
        old: usize,
        /// Of the new build.
        new: usize,
        /// Hosts with both.
        hosts: usize,
    },
}
