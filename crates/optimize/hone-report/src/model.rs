//! The one report model. Every form (terminal, Markdown, JSON, HTML) is a function of this model, and the JSON
//! form is the model itself.

use std::collections::BTreeMap;

use hone_measure::service::Beside;
use hone_measure::{Comparison, Experiment, Interval, Metric};
use serde::{Deserialize, Serialize};

/// The newest version of this model.
pub const FORMAT: u32 = 2;

/// Results of a run of `hone optimize`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderReport {
    /// Version of this model; raised for changes that a reader of the JSON would notice.
    pub format: u32,
    /// Name of the program that was optimised.
    pub program: String,
    /// Version of Hone.
    pub hone_version: String,
    /// Time at which the run ended, RFC 3339 in UTC.
    pub finished_at: String,
    /// Machine of the run.
    pub machine: Machine,
    /// Tools that were used.
    pub tools: Vec<Tool>,
    /// Results and costs of the recordings.
    pub recordings: Vec<RecordingFacts>,
    /// The rungs in the order in which they were tried; the first is the baseline.
    pub rungs: Vec<Rung>,
    /// Title of each lever in the rungs, by the lever's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lever_titles: BTreeMap<String, String>,
    /// The winner measured afresh against the baseline; `None` if nothing was kept.
    pub confirmation: Option<Comparison>,
    /// The confirmation by the other count of CPU time: without kernel time if the verdicts include it, with kernel time if
    /// they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_cpu: Option<OtherCpu>,
    /// Effects of the winner on a server beside its CPU: latency, throughput, memory, start. Empty for other
    /// programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
    /// Comparison of the baseline with itself, which shows this machine's noise.
    pub self_check: Option<Comparison>,
    /// Instructions to put the winner into the user's own build; `None` if nothing was kept.
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
    /// Count of CPU time.
    pub metric: Metric,
    /// Gain over all workloads, as in the confirmation.
    pub gain: Interval,
}

/// Description of the machine.
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
    /// Hypervisor, if one is visible.
    pub hypervisor: Option<String>,
    /// True if hardware counters can be used.
    pub hardware_counters: bool,
    /// True if hardware branch records can be used.
    pub hardware_branch_records: bool,
}

/// A tool that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Name of the tool, such as `clang`.
    pub name: String,
    /// Version line of the tool.
    pub version: String,
    /// Path of the tool.
    pub path: String,
}

/// The train and measure workloads.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Workloads {
    /// Commands that the profile came from.
    pub train: Vec<String>,
    /// Commands that the verdicts are based on.
    pub measure: Vec<String>,
}

/// Results and cost of one recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordingFacts {
    /// Rung that was recorded.
    pub rung: String,
    /// Name of the recorded build: a rung may be recorded with lines, with probes and relinked; empty in reports of earlier versions.
    #[serde(default)]
    pub build: String,
    /// Path of the recording.
    pub path: String,
    /// Source of the branch records: `lbr`, `walk` or `none`.
    pub branches: String,
    /// Samples taken.
    pub samples: u64,
    /// Branch records written.
    pub branch_records: u64,
    /// Wall seconds of recording.
    pub wall_s: f64,
    /// Seconds that the recording held the target up, summed over its threads.
    pub stopped_s: f64,
    /// CPU seconds that the target used during the recording.
    pub target_cpu_s: f64,
}

/// Outcome of a rung.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// The baseline itself.
    Baseline,
    /// Proven to help; the next rungs build on it.
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
    /// Proven to help, but at a price that nobody allowed, such as memory above the user's limit.
    Rejected {
        /// The price, as a clause.
        reason: String,
    },
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
    /// Outcome of the rung.
    pub outcome: Outcome,
    /// Comparison with the rung below.
    pub comparison: Option<Comparison>,
    /// Seconds that building took.
    pub build_s: f64,
    /// Size of the binary file in bytes.
    pub file_bytes: Option<u64>,
    /// Bytes of the file that are loaded to run: the file without debug information and symbols.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loaded_bytes: Option<u64>,
    /// Size of the executable sections in bytes.
    pub text_bytes: Option<u64>,
    /// Indirect calls executed, from branch records of this rung's binary.
    pub indirect_calls: Option<IndirectCalls>,
    /// Flags that this rung's levers added.
    pub flags: Flags,
    /// Quality of the recorded profile that the topmost lever used, the length of the recording and the reason why it was not
    /// longer; `None` if the lever used no recorded profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
}

/// Flags and settings of a variant.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Flags {
    /// Flags added to every compilation.
    pub compile: Vec<String>,
    /// Flags added to every link of a program or shared library.
    pub link: Vec<String>,
    /// Environment of the running program.
    pub env: Vec<(String, String)>,
    /// Commands run on the linked binary.
    pub post_link: Vec<String>,
}

impl Flags {
    /// Returns the environment of the running program, as `NAME=VALUE` each.
    pub fn environment(&self) -> Vec<String> {
        let variables = self.env.iter();
        variables
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }
}

/// Indirect calls executed, counted in branch records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IndirectCalls {
    /// Indirect calls per 1,000 instructions executed in the program's own binary, PLT apart.
    pub per_1000_instructions: f64,
    /// Number of instructions that the figure is based on.
    pub instructions: u64,
    /// The hottest call sites, hottest first.
    pub sites: Vec<CallSite>,
}

/// One indirect call site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSite {
    /// Place of the call: `function (file:line)`.
    pub place: String,
    /// Calls per 1,000 instructions.
    pub per_1000_instructions: f64,
    /// Targets with their share of this site's calls, 0 to 1, largest first.
    pub targets: Vec<(String, f64)>,
}

/// Instructions to copy and paste.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Id of the winning rung.
    pub rung: String,
    /// All flags of the winner.
    pub flags: Flags,
    /// Files that the user needs to keep (profiles), each with a one-line description.
    pub files: Vec<(String, String)>,
    /// Path of the winning binary.
    pub binary: String,
    /// Shell lines that reproduce the winner in the user's own build.
    pub shell: String,
    /// Consequences of deploying the winner, per lever, as full sentences.
    pub deploy: Vec<String>,
}
