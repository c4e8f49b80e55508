//! Types of an experiment.

use serde::{Deserialize, Serialize};

use crate::sequential::LOOK_BLOCKS_MIN;
use crate::service::ServiceObservation;

/// A side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// The old side, against which the new side is judged.
    Old,
    /// The new side.
    New,
}

/// Measurements of one run of a workload in a fresh process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// User CPU seconds of the whole process tree.
    pub user_s: f64,
    /// System CPU seconds of the whole process tree.
    pub system_s: f64,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// Largest resident set of any one process of the tree, in bytes.
    pub peak_rss_bytes: u64,
    /// Units of work that the run reports, if the workload states them (`--work REGEX`).
    pub work: Option<f64>,
    /// CPU seconds that the hypervisor took from this machine during the run (`steal` of /proc/stat).
    pub stolen_s: f64,
    /// Further measurements of a server beside its CPU time; none for programs that are not servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceObservation>,
}

/// The quantity that is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// User plus system CPU seconds of the run.
    #[default]
    CpuSeconds,
    /// User plus system CPU seconds divided by the work done.
    CpuPerWork,
    /// User CPU seconds of the run, without the kernel's work for the run.
    UserSeconds,
    /// User CPU seconds divided by the work done.
    UserPerWork,
}

impl Metric {
    /// Returns the metric for work of fixed or stated amount, with or without the kernel's time.
    pub fn new(per_work: bool, user_only: bool) -> Self {
        match (per_work, user_only) {
            (false, false) => Self::CpuSeconds,
            (true, false) => Self::CpuPerWork,
            (false, true) => Self::UserSeconds,
            (true, true) => Self::UserPerWork,
        }
    }

    /// Returns true if the metric divides by the work done.
    pub fn is_per_work(self) -> bool {
        matches!(self, Self::CpuPerWork | Self::UserPerWork)
    }

    /// Returns true if the metric leaves out the kernel's time.
    pub fn is_user_only(self) -> bool {
        matches!(self, Self::UserSeconds | Self::UserPerWork)
    }

    /// Returns the CPU seconds of a run that the metric counts.
    pub fn cpu_s(self, observation: &Observation) -> f64 {
        if self.is_user_only() {
            observation.user_s
        } else {
            observation.user_s + observation.system_s
        }
    }

    /// Returns the cost of a run; `None` if the metric divides by work and the run states no work.
    pub fn cost(self, observation: &Observation) -> Option<f64> {
        let cpu = self.cpu_s(observation);
        if self.is_per_work() {
            observation.work.map(|work| cpu / work)
        } else {
            Some(cpu)
        }
    }
}

/// One run that the schedule asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// Side of the comparison.
    pub arm: Arm,
    /// Index of the workload.
    pub workload: usize,
    /// Index of the ABBA (or BAAB) block.
    pub block: usize,
    /// Seed for everything that the runner randomises itself, such as the size of the environment. The same for all runs
    /// of a block, so that the arms of one pair see the same conditions.
    pub seed: u64,
    /// Index of the layout of the two binaries, below [`Schedule::layouts`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub layout: usize,
}

/// One finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Request for the run.
    pub request: RunRequest,
    /// Measurements of the run.
    pub observation: Observation,
}

/// Runs a workload once. The command's implementation starts processes; tests replay recorded numbers.
pub trait Runner {
    /// Reason why a run failed; an error ends the experiment.
    type Error;

    /// Performs one run.
    fn run(&mut self, request: RunRequest) -> Result<Observation, Self::Error>;

    /// Performs the two runs of a pair, at the same time if the runner can ([`Schedule::duet`]). By default the runs are
    /// performed one after the other.
    fn run_pair(&mut self, pair: [RunRequest; 2]) -> Result<[Observation; 2], Self::Error> {
        let [first, second] = pair;
        Ok([self.run(first)?, self.run(second)?])
    }
}

/// Plan of an experiment, and the rule for its end; fixed before the first run, so that nobody can stop
/// at a lucky moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Names of the workloads.
    pub workloads: Vec<String>,
    /// ABBA blocks per workload; each holds two runs of either arm. The maximum, if the experiment may stop
    /// early.
    pub blocks: usize,
    /// Seed of the random order of blocks and arms.
    pub seed: u64,
    /// The quantity that is compared.
    pub metric: Metric,
    /// Confidence level of intervals and verdict, 0.95 by default.
    pub confidence: f64,
    /// Rule that decides whether the experiment may end before all blocks are done.
    #[serde(default, skip_serializing_if = "Stopping::is_fixed")]
    pub stopping: Stopping,
    /// Number of layouts (such as link orders) of both binaries. With two or more, the layout is the unit of
    /// analysis; the blocks are spread evenly over the layouts.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub layouts: usize,
    /// True if the two runs of a pair, one of either arm, share one CPU at the same time, so that a
    /// disturbance affects both: docs/decisions/0012-duets.md.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duet: bool,
}

/// Rule for the end of an experiment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopping {
    /// After all blocks.
    #[default]
    Fixed,
    /// At the first look that proves a difference, or shows that the remaining blocks are unlikely to prove one.
    Sequential {
        /// Times of the looks, in shares of all blocks, between 0 and 1; the end is always a look. Looks that are too
        /// early for an interval are left out.
        looks: Vec<f64>,
    },
}

impl Stopping {
    /// Returns the looks of docs/decisions/0006-early-stopping.md.
    pub fn sequential() -> Self {
        Self::Sequential {
            looks: vec![0.1, 0.25, 0.5, 0.75],
        }
    }

    /// Returns the looks of a schedule in blocks, in order; each is a multiple of `unit`, except the last one at the end.
    pub(crate) fn looks(&self, blocks: usize, unit: usize) -> Vec<usize> {
        let shares: &[f64] = match self {
            Self::Fixed => &[],
            Self::Sequential { looks } => looks,
        };
        let least = if unit > 1 {
            LOOK_BLOCKS_MIN.max(2 * unit)
        } else {
            LOOK_BLOCKS_MIN
        };
        let look = |share: &f64| ((share * blocks as f64 / unit as f64).ceil() as usize) * unit;
        let mut looks: Vec<usize> = shares.iter().map(look).collect();
        looks.retain(|look| (least..blocks).contains(look));
        looks.push(blocks);
        looks.sort_unstable();
        looks.dedup();
        looks
    }

    fn is_fixed(&self) -> bool {
        *self == Self::Fixed
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn one() -> usize {
    1
}

fn is_one(number: &usize) -> bool {
    *number == 1
}

/// All raw numbers of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Name of the old arm.
    pub old: String,
    /// Name of the new arm.
    pub new: String,
    /// Schedule of the runs.
    pub schedule: Schedule,
    /// The runs in the order in which they happened.
    pub runs: Vec<Run>,
}

/// An estimate of a gain (CPU old / new) with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The estimate.
    pub ratio: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Verdict on a gain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval lies above 1.
    Faster,
    /// The whole interval lies below 1.
    Slower,
    /// The interval holds 1.
    NoProvableDifference,
}

/// The result for one workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkloadResult {
    /// Name of the workload.
    pub workload: String,
    /// CPU old / new (per unit of work if the metric is per unit of work).
    pub gain: Interval,
    /// Wall-clock old / new (per unit of work if the metric is per unit of work), for information; the verdict does
    /// not use it. Not meaningful if [`Comparison::duet`] is true, since the runs of a pair shared a CPU.
    pub wall: Interval,
    /// Median CPU seconds (or CPU seconds per unit of work) of the old arm.
    pub old_median: f64,
    /// Median of the new arm, in the same unit.
    pub new_median: f64,
    /// Median peak memory of the old arm, bytes.
    pub old_rss_bytes: u64,
    /// Median peak memory of the new arm, bytes.
    pub new_rss_bytes: u64,
    /// Verdict for this workload alone.
    pub verdict: Verdict,
}

/// An analysed experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Name of the old arm.
    pub old: String,
    /// Name of the new arm.
    pub new: String,
    /// The quantity that was compared.
    pub metric: Metric,
    /// Confidence level of all intervals.
    pub confidence: f64,
    /// Blocks per workload that the numbers are based on.
    pub blocks: usize,
    /// One result per workload.
    pub workloads: Vec<WorkloadResult>,
    /// Geometric mean over the workloads, with an interval from the joint resampling of all of them.
    pub overall: Interval,
    /// The smallest and the largest gain of a workload.
    pub range: (f64, f64),
    /// The verdict on `overall`.
    pub verdict: Verdict,
    /// Stolen CPU time during the runs as a share of used plus stolen CPU time, stolen / (used +
    /// stolen), 0 to 1.
    pub stolen_share: f64,
    /// True if the two runs of a pair shared one CPU at the same time, so that their wall clock does not describe either
    /// build alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duet: bool,
    /// End of the experiment, if it was free to end early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<Early>,
    /// Influence of the layouts, if there were two or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layouts: Option<LayoutSpread>,
}

/// End of an experiment that was free to end early.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Early {
    /// Reason for the end.
    pub end: End,
    /// Maximum number of blocks per workload.
    pub blocks_max: usize,
    /// Confidence level of the intervals at this look; it keeps the promised level over all looks.
    pub look_confidence: f64,
}

/// Reason for the end of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A difference is proven, in either direction.
    Proven,
    /// The remaining blocks were unlikely to prove anything.
    Futile,
    /// All blocks are done, and nothing is proven.
    Complete,
}

/// Influence of luck, from several layouts of the same two builds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayoutSpread {
    /// The gain with each layout, over all workloads.
    pub gains: Vec<f64>,
    /// Standard deviation between layouts, as a log-ratio (0.01 is 1 %), without the part that the noise of the runs
    /// explains.
    pub scatter: f64,
    /// Interval of the gain of one build with one layout, with the confidence of the comparison, if the
    /// estimate is right.
    pub single_build: Interval,
    /// Part of a single build's gain that could be luck, as a share of the gain: 0 to 1.
    pub luck_share: f64,
}
