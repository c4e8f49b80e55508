//! The one report model. Every form (terminal, Markdown, JSON, HTML) is a function of it, and the JSON
//! form is the model itself.

use std::collections::BTreeMap;

use hone_measure::service::Beside;
use hone_measure::{Comparison, Experiment, Interval, Metric};
use serde::{Deserialize, Serialize};

/// The newest version of this model.
pub const FORMAT: u32 = 2;

/// Everything that `hone optimize` has to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderReport {
    /// Version of this model; raised when a reader of the JSON would notice.
    pub format: u32,
    /// Name of the program that was optimised.
    pub program: String,
    /// Hone's version.
    pub hone_version: String,
    /// When the run ended, RFC 3339 in UTC.
    pub finished_at: String,
    /// Where it ran.
    pub machine: Machine,
    /// The tools that took part.
    pub tools: Vec<Tool>,
    /// What the recordings cost and gave.
    pub recordings: Vec<RecordingFacts>,
    /// The rungs in the order in which they were tried; the first is the baseline.
    pub rungs: Vec<Rung>,
    /// The title of each lever in the rungs, by its id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lever_titles: BTreeMap<String, String>,
    /// The winner measured afresh against the baseline; `None` if nothing was kept.
    pub confirmation: Option<Comparison>,
    /// The confirmation by the other count of CPU time: without the kernel's where the verdicts hold it, with it where
    /// they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_cpu: Option<OtherCpu>,
    /// What the winner does to a server beside its CPU: latency, throughput, memory, start. Empty for other
    /// programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
    /// The baseline against itself: what this machine's noise looks like.
    pub self_check: Option<Comparison>,
    /// How the user puts the winner into their own build; `None` if nothing was kept.
    pub recipe: Option<Recipe>,
    /// Names of the workloads used for training and for measuring.
    pub workloads: Workloads,
    /// The user's build command, as the baseline was built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_command: Option<String>,
    /// The user's check, which every build that was measured has passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Things a reader must know (a noisy machine, a rung left out, ...), as full sentences: warnings.
    pub notes: Vec<String>,
    /// Things beside the verdict that are nothing to worry about (the other metric, layouts, power), as full
    /// sentences.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Raw numbers of every experiment.
    pub raw: Vec<Experiment>,
}

/// A gain by another count of CPU time than that of the verdicts, from the same runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherCpu {
    /// What is counted.
    pub metric: Metric,
    /// Over all workloads, as the confirmation's.
    pub gain: Interval,
}

/// The machine's description.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Machine {
    /// CPU model name.
    pub cpu: String,
    /// CPUs online.
    pub cpus: u32,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Kernel release.
    pub kernel: String,
    /// Distribution.
    pub os: String,
    /// Hypervisor, where one shows itself.
    pub hypervisor: Option<String>,
    /// Whether hardware counters can be used.
    pub hardware_counters: bool,
    /// Whether hardware branch records can be used.
    pub hardware_branch_records: bool,
}

/// A tool that took part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name, such as `clang`.
    pub name: String,
    /// Its version line.
    pub version: String,
    /// Where it stands.
    pub path: String,
}

/// The train and measure workloads.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Workloads {
    /// Commands that the profile came from.
    pub train: Vec<String>,
    /// Commands that the verdicts rest on.
    pub measure: Vec<String>,
}

/// What one recording gave and cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordingFacts {
    /// Which rung it was made on.
    pub rung: String,
    /// File.
    pub path: String,
    /// Where branch records came from: `lbr`, `walk` or `none`.
    pub branches: String,
    /// Samples taken.
    pub samples: u64,
    /// Branch records written.
    pub branch_records: u64,
    /// Wall seconds of recording.
    pub wall_s: f64,
    /// Seconds the recording held the target up, summed over its threads.
    pub stopped_s: f64,
    /// CPU seconds that the target used while being recorded.
    pub target_cpu_s: f64,
}

/// What became of a rung.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// The baseline itself.
    Baseline,
    /// Proven to help; the next rungs stand on it.
    Kept,
    /// Proven to help, but another alternative of the same step helped more.
    Beaten {
        /// The alternative that was kept.
        by: String,
    },
    /// Measured; no provable difference.
    NotProven,
    /// Measured; proven to be slower.
    Slower,
    /// Built or measured only to compare; never a candidate.
    Reference,
    /// Could not be built, failed its check, or its workload failed.
    Failed {
        /// One sentence with the next step.
        reason: String,
    },
    /// Not tried.
    Skipped {
        /// One sentence with the next step.
        reason: String,
    },
}

/// One rung of the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// Short unique name, such as `thinlto`.
    pub id: String,
    /// Title for people, such as `ThinLTO`.
    pub title: String,
    /// Ids of all levers in this variant, lowest first.
    pub levers: Vec<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// Measured against the rung below.
    pub comparison: Option<Comparison>,
    /// Seconds that building took.
    pub build_s: f64,
    /// Size of the binary file in bytes.
    pub file_bytes: Option<u64>,
    /// Bytes of it that are loaded to run: the file without debug information and symbols.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loaded_bytes: Option<u64>,
    /// Size of its executable sections in bytes.
    pub text_bytes: Option<u64>,
    /// Indirect calls executed, from branch records of this rung's binary.
    pub indirect_calls: Option<IndirectCalls>,
    /// Flags that this rung's levers added.
    pub flags: Flags,
    /// How good the profile is that its topmost lever used, how long it was recorded and why no longer; `None` where
    /// it used no recorded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
}

/// Flags and settings of a variant.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Flags {
    /// Added to every compilation.
    pub compile: Vec<String>,
    /// Added to every link of a program or shared library.
    pub link: Vec<String>,
    /// Environment of the running program.
    pub env: Vec<(String, String)>,
    /// Commands run on the linked binary.
    pub post_link: Vec<String>,
}

/// Indirect calls executed, counted in branch records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IndirectCalls {
    /// Indirect calls per 1,000 instructions executed in the program's own binary, PLT apart.
    pub per_1000_instructions: f64,
    /// Instructions that the figure rests on.
    pub instructions: u64,
    /// The hottest call sites, hottest first.
    pub sites: Vec<CallSite>,
}

/// One indirect call site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSite {
    /// `function (file:line)`.
    pub place: String,
    /// Calls per 1,000 instructions.
    pub per_1000_instructions: f64,
    /// Targets with their share of this site's calls, 0 to 1, largest first.
    pub targets: Vec<(String, f64)>,
}

/// The copy-and-paste section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Id of the winning rung.
    pub rung: String,
    /// All flags of the winner.
    pub flags: Flags,
    /// Files the user needs to keep (profiles), with one line on what each is.
    pub files: Vec<(String, String)>,
    /// Where the winning binary stands.
    pub binary: String,
    /// Shell lines that reproduce the winner in the user's own build.
    pub shell: String,
    /// What deploying it means, per lever, as full sentences.
    pub deploy: Vec<String>,
}
