//! The vocabulary of an experiment.

use serde::{Deserialize, Serialize};

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
}

/// How an experiment is laid out; fixed before the first run, so that nobody can stop at a lucky moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Names of the workloads.
    pub workloads: Vec<String>,
    /// ABBA blocks per workload; each holds two runs of either arm.
    pub blocks: usize,
    /// Seed of the random order of blocks and arms.
    pub seed: u64,
    /// What is compared.
    pub metric: Metric,
    /// Confidence level of intervals and verdict, 0.95 by default.
    pub confidence: f64,
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
    /// not use it.
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
}
