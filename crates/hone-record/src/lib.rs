//! perf events, ring buffers, ptrace and the walker: the one home of unsafe code.
//!
//! What this crate promises: the target is never written to and never killed; what a recording cost is
//! part of its summary.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What to record.
#[derive(Clone, Debug)]
pub enum Target {
    /// A process that runs already, with its threads and future children.
    Process {
        /// Its process id.
        pid: i32,
    },
    /// A command that the recorder starts and follows until it ends.
    Command {
        /// Program and arguments; the program is looked up in PATH.
        argv: Vec<OsString>,
        /// Variables set (`Some`) or removed (`None`) in its environment.
        env: Vec<(OsString, Option<OsString>)>,
        /// Its working directory; the caller's where `None`.
        cwd: Option<PathBuf>,
        /// Where its standard output goes; the caller's where `None`.
        stdout: Option<PathBuf>,
    },
}

/// Where branch records come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchSource {
    /// Hardware where there is one, else the walker where it is safe, else none.
    Auto,
    /// The CPU's branch records (LBR, BRS); an error where there are none.
    Lbr,
    /// The walker; an error where it cannot run.
    Walk,
    /// No branch records.
    None,
}

/// Options of a recording.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to record.
    pub target: Target,
    /// Where branch records come from.
    pub branches: BranchSource,
    /// IP samples per second of CPU time and thread.
    pub frequency_hz: u32,
    /// Walks per second of a running thread's time.
    pub walks_per_s: f64,
    /// Instructions stepped per walk at most.
    pub walk_instructions_max: u32,
    /// Entries of one written branch stack; longer walks are cut into several.
    pub branch_depth: u32,
    /// Stop after this many seconds; a command is left to run on, unrecorded.
    pub duration_s: Option<f64>,
    /// Where the recording goes. Written beside it under a temporary name, renamed when complete.
    pub output: PathBuf,
    /// Seed for the random intervals.
    pub seed: u64,
}

/// Numbers of a recording, also while it goes on.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Summary {
    /// Which branch source was used in the end: `lbr`, `walk` or `none`.
    pub branch_source: String,
    /// What drove the samples: `cycles:u`, `cpu-clock` or `ptrace-timer`.
    pub sampler: String,
    /// IP samples.
    pub samples: u64,
    /// Walks begun.
    pub walks: u64,
    /// Why walks ended, by reason.
    pub walk_ends: std::collections::BTreeMap<String, u64>,
    /// Branch records written.
    pub branch_records: u64,
    /// Samples that the kernel lost.
    pub lost: u64,
    /// Wall seconds.
    pub wall_s: f64,
    /// Seconds that target threads were stopped, summed.
    pub stopped_s: f64,
    /// CPU seconds the target used while it was recorded.
    pub target_cpu_s: f64,
    /// CPU seconds the recorder used.
    pub recorder_cpu_s: f64,
    /// Exit status of a started command: code, or 128 + signal.
    pub exit_code: Option<i32>,
    /// Things the user should know, full sentences.
    pub warnings: Vec<String>,
}

/// Records until the target ends, `duration_s` passes or `stop` becomes true, and reports numbers to
/// `progress` a few times a second.
pub fn record(
    _options: &Options,
    _stop: &AtomicBool,
    _progress: &mut dyn FnMut(&Summary),
) -> Result<Summary, RecordError> {
    Err(RecordError::Unfinished)
}

/// Why a recording could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Placeholder of the skeleton.
    #[error("unfinished")]
    Unfinished,
}

/// What this machine offers a recorder; every field was tried, none is a guess.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Capabilities {
    /// A hardware counter (`cycles:u`) could be opened and counted.
    pub hardware_cycles: Probe,
    /// A software `cpu-clock` sampler could be opened.
    pub cpu_clock: Probe,
    /// An event with hardware branch stacks could be opened.
    pub branch_stack: Probe,
    /// Kernel samples allowed.
    pub kernel_samples: Probe,
    /// ptrace of an own child works.
    pub ptrace_child: Probe,
    /// `/proc/sys/kernel/perf_event_paranoid`.
    pub perf_event_paranoid: Option<i32>,
    /// `/proc/sys/kernel/yama/ptrace_scope`; `None` where Yama is not there.
    pub ptrace_scope: Option<i32>,
    /// Locked-memory limit in bytes; `None` for unlimited.
    pub locked_memory_bytes: Option<u64>,
    /// `/proc/sys/kernel/perf_event_mlock_kb`.
    pub perf_event_mlock_kb: Option<u64>,
}

/// Works, or does not and why.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Probe {
    /// Whether it works.
    pub works: bool,
    /// The system's answer where it does not, such as `ENOENT: no such event`.
    pub why: String,
}

/// Tries what this machine offers.
pub fn capabilities() -> Capabilities {
    Capabilities::default()
}
