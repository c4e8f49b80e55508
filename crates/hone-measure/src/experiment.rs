//! The vocabulary of an experiment.

use serde::{Deserialize, Serialize};

use crate::sequential::LOOK_BLOCKS_MIN;
use crate::service::ServiceObservation;

/// The two sides of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// The old one, against which the other is judged.
    Old,
    /// The new one.
    New,
}

/// What one run of a workload in a fresh process gave.
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
    /// Units of work that the run says it did, where the workload states them (`--work REGEX`).
    pub work: Option<f64>,
    /// CPU seconds that the hypervisor took from this machine during the run (`steal` of /proc/stat).
    pub stolen_s: f64,
    /// What a server gave beside its CPU time; none for programs that are not servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceObservation>,
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// User plus system CPU seconds of the run.
    #[default]
    CpuSeconds,
    /// User plus system CPU seconds divided by the work done.
    CpuPerWork,
    /// User CPU seconds of the run, without what the kernel did for it.
    UserSeconds,
    /// User CPU seconds divided by the work done.
    UserPerWork,
}

impl Metric {
    /// The metric for work of fixed or stated amount, with or without the kernel's time.
    pub fn new(per_work: bool, user_only: bool) -> Self {
        match (per_work, user_only) {
            (false, false) => Self::CpuSeconds,
            (true, false) => Self::CpuPerWork,
            (false, true) => Self::UserSeconds,
            (true, true) => Self::UserPerWork,
        }
    }

    /// Whether it divides by the work done.
    pub fn is_per_work(self) -> bool {
        matches!(self, Self::CpuPerWork | Self::UserPerWork)
    }

    /// Whether it leaves out the kernel's time.
    pub fn is_user_only(self) -> bool {
        matches!(self, Self::UserSeconds | Self::UserPerWork)
    }

    /// The CPU seconds of a run that it counts.
    pub fn cpu_s(self, observation: &Observation) -> f64 {
        if self.is_user_only() {
            observation.user_s
        } else {
            observation.user_s + observation.system_s
        }
    }

    /// The cost of a run; `None` where it divides by work that the run does not state.
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
    /// Which side.
    pub arm: Arm,
    /// Index of the workload.
    pub workload: usize,
    /// Index of the ABBA (or BAAB) block.
    pub block: usize,
    /// For what the runner randomises itself, such as the size of the environment. The same for all runs
    /// of a block, so that the arms of one pair see the same conditions.
    pub seed: u64,
    /// Which layout of the two binaries, below [`Schedule::layouts`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub layout: usize,
}

/// One finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What was asked for.
    pub request: RunRequest,
    /// What came out.
    pub observation: Observation,
}

/// Runs a workload once. The command's implementation starts processes; tests replay recorded numbers.
pub trait Runner {
    /// Why a run failed; ends the experiment.
    type Error;

    /// Performs one run.
    fn run(&mut self, request: RunRequest) -> Result<Observation, Self::Error>;

    /// Performs the two runs of a pair, at the same time if it can ([`Schedule::duet`]); a runner to which that
    /// makes no difference performs one after the other.
    fn run_pair(&mut self, pair: [RunRequest; 2]) -> Result<[Observation; 2], Self::Error> {
        let [first, second] = pair;
        Ok([self.run(first)?, self.run(second)?])
    }
}

/// How an experiment is laid out, and when it may end; fixed before the first run, so that nobody can stop
/// at a lucky moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Names of the workloads.
    pub workloads: Vec<String>,
    /// ABBA blocks per workload; each holds two runs of either arm. The most, where the experiment may stop
    /// early.
    pub blocks: usize,
    /// Seed of the random order of blocks and arms.
    pub seed: u64,
    /// What is compared.
    pub metric: Metric,
    /// Confidence level of intervals and verdict, 0.95 by default.
    pub confidence: f64,
    /// Whether it may end before all blocks are done.
    #[serde(default, skip_serializing_if = "Stopping::is_fixed")]
    pub stopping: Stopping,
    /// Layouts (such as link orders) that both binaries come in. With two or more the layout is the unit of
    /// analysis; the blocks are spread evenly over them.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub layouts: usize,
    /// Whether the two runs of a pair, one of either arm, share one CPU at the same time, so that what
    /// disturbs one disturbs the other: docs/decisions/0012-duets.md.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duet: bool,
}

/// When an experiment ends.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopping {
    /// After all blocks.
    #[default]
    Fixed,
    /// At the first look that proves a difference, or shows that the rest is unlikely to.
    Sequential {
        /// When to look, in shares of all blocks, between 0 and 1; the end is a look of itself. Looks too
        /// early for an interval are left out.
        looks: Vec<f64>,
    },
}

impl Stopping {
    /// The looks of docs/decisions/0006-early-stopping.md.
    pub fn sequential() -> Self {
        Self::Sequential {
            looks: vec![0.1, 0.25, 0.5, 0.75],
        }
    }

    /// The looks of a schedule in blocks, in order, the last at the end; each a multiple of `unit`.
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
    /// What the old arm is called.
    pub old: String,
    /// What the new arm is called.
    pub new: String,
    /// The layout.
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

/// What may be said of a gain.
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
    /// Its name.
    pub workload: String,
    /// CPU old / new (per unit of work where the metric says so).
    pub gain: Interval,
    /// Wall-clock old / new (per unit of work where the metric says so), for information; the verdict does
    /// not use it. Of no use where [`Comparison::duet`] says that the runs of a pair shared a CPU.
    pub wall: Interval,
    /// Median CPU seconds (or CPU seconds per unit of work) of the old arm.
    pub old_median: f64,
    /// The same of the new arm.
    pub new_median: f64,
    /// Median peak memory of the old arm, bytes.
    pub old_rss_bytes: u64,
    /// The same of the new arm.
    pub new_rss_bytes: u64,
    /// Verdict for this workload alone.
    pub verdict: Verdict,
}

/// An analysed experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// What the old arm is called.
    pub old: String,
    /// What the new arm is called.
    pub new: String,
    /// What was compared.
    pub metric: Metric,
    /// Confidence level of all intervals.
    pub confidence: f64,
    /// Blocks per workload that the numbers rest on.
    pub blocks: usize,
    /// One result per workload.
    pub workloads: Vec<WorkloadResult>,
    /// Geometric mean over the workloads, with an interval from the joint resampling of all of them.
    pub overall: Interval,
    /// The smallest and the largest of the workloads' gains.
    pub range: (f64, f64),
    /// The verdict on `overall`.
    pub verdict: Verdict,
    /// Stolen CPU time as a share of the CPU time that was wanted while the runs went on, stolen / (used +
    /// stolen), 0 to 1.
    pub stolen_share: f64,
    /// Whether the two runs of a pair shared one CPU at the same time, so that their wall clock says nothing of either
    /// build alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duet: bool,
    /// How it ended, where it was free to end early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<Early>,
    /// What the layouts have to do with it, where there were two or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layouts: Option<LayoutSpread>,
}

/// How an experiment ended that was free to end early.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Early {
    /// Why it ended.
    pub end: End,
    /// Blocks per workload that it could have had.
    pub blocks_max: usize,
    /// Confidence level of the intervals at this look, which keeps the promised one over all looks.
    pub look_confidence: f64,
}

/// Why an experiment ended.
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

/// What several layouts of the same two builds say about luck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayoutSpread {
    /// The gain with each layout, over all workloads.
    pub gains: Vec<f64>,
    /// Standard deviation between layouts, as a log-ratio (0.01 is 1 %), without what the noise of the runs
    /// explains.
    pub scatter: f64,
    /// Where the gain of one build with one layout lies, with the confidence of the comparison, if the
    /// estimate is right.
    pub single_build: Interval,
    /// How much of a single build's gain could be luck, as a share of the gain: 0 to 1.
    pub luck_share: f64,
}
