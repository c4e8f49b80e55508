//! What a recording is asked to do.

use crate::error::RecordError;
use std::ffi::OsString;
use std::path::PathBuf;

/// What to record.
#[derive(Clone, Debug)]
pub enum Target {
    /// Processes that run already, with their threads and future children. Those that are gone are left out,
    /// with a warning; at least one must be there.
    Processes {
        /// Their process ids.
        pids: Vec<i32>,
    },
    /// A command that the recorder starts and follows until it ends.
    Command {
        /// Program and arguments; the program is looked up in PATH.
        argv: Vec<OsString>,
        /// Variables set (`Some`) or removed (`None`) in its environment.
        env: Vec<(OsString, Option<OsString>)>,
        /// Its working directory; the caller's where `None`. A program with a relative path is looked up
        /// from here.
        cwd: Option<PathBuf>,
        /// Where its standard output goes; the caller's where `None`.
        stdout: Option<PathBuf>,
    },
    /// Every process on every CPU, or every process of a cgroup; also those that start later.
    System {
        /// The cgroup, with those below it: a directory, or a path below the mount point of cgroup v2.
        cgroup: Option<PathBuf>,
        /// A command that is started, and whose end ends the recording; empty for none.
        argv: Vec<OsString>,
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

/// How the walker follows a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// By emulation.
    #[default]
    Auto,
    /// By interpreting its code from a snapshot of the thread, which stands still for a fraction of a
    /// millisecond.
    Emulate,
    /// By single steps of the CPU: slow, the reference for the other, and for commands only.
    Step,
}

/// How the emulating walker comes by the registers of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Snapshot {
    /// Without a stop where that is safe; with one where a walk would end on something unknown, or where
    /// there is no real-time priority to be had.
    #[default]
    Auto,
    /// The thread is stopped by ptrace: all registers are known.
    Stop,
    /// The thread is only kept off its CPU, by a walker of higher priority: vector registers and the
    /// thread pointer are unknown at first.
    Preempt,
}

/// What drives the IP samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sampler {
    /// perf events; where they are refused and the target is a command, a timer and ptrace.
    #[default]
    Auto,
    /// perf events; an error where they are refused.
    Perf,
    /// A timer and ptrace; for commands only.
    Ptrace,
}

/// How IP samples come by their callers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CallGraph {
    /// By frame pointers, in recordings without branch records.
    #[default]
    Auto,
    /// By frame pointers. Together with branch records, `perf script -F ip,brstack` prints them between the stacks,
    /// and llvm-profgen and perf2bolt 19 cannot read that.
    FramePointers,
    /// By the unwind information of the files, from a copy of registers and stack.
    Dwarf {
        /// Bytes of the stack that are copied: a multiple of eight, at most [`STACK_BYTES_MAX`]. `None` stands for
        /// [`STACK_BYTES_KEPT`] where copies are kept, and else for the most that the rings hold well.
        stack_bytes: Option<u32>,
        /// The recording holds the copies, to be unwound by whoever reads it.
        keeps_copies: bool,
    },
    /// Samples hold no callers.
    Never,
}

/// Bytes of the stack that a sample can hold: a record has 64 KiB.
pub const STACK_BYTES_MAX: u32 = 65_528;
/// Bytes of the stack in each sample of a file that keeps them, if nobody says otherwise; as perf does.
pub const STACK_BYTES_KEPT: u32 = 8_192;

/// Less does not pay for a sample a second that wakes a walker.
const OVERHEAD_MIN: f64 = 0.000_2;

/// Options of a recording.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to record.
    pub target: Target,
    /// What drives the samples.
    pub sampler: Sampler,
    /// Where branch records come from.
    pub branches: BranchSource,
    /// How the walker follows the program.
    pub walker: Engine,
    /// How the emulating walker comes by registers.
    pub snapshot: Snapshot,
    /// What the emulating walker may cost: a share of the target's CPU time, samples included.
    pub overhead: f64,
    /// The share holds for samples without walks too: their rate is lowered until it does. Usual for whatever runs already;
    /// a command that was started for the recording serves nobody.
    pub limits_samples: bool,
    /// Taken branches of one emulated walk at most.
    pub walk_branches_max: u32,
    /// How IP samples come by their callers.
    pub call_graph: CallGraph,
    /// IP samples per second of CPU time and thread, as far as the overhead allows. `None` for what suits: 997, and with
    /// the emulating walker what a seventh of its overhead pays for; 19 a CPU in a recording of everybody or of a cgroup.
    pub frequency_hz: Option<u32>,
    /// Walks per second of a running thread's time, for the walker that steps and for the timer.
    pub walks_per_s: f64,
    /// Instructions stepped per walk at most.
    pub walk_instructions_max: u32,
    /// Entries of one written branch stack; longer walks are cut into several.
    pub branch_depth: u32,
    /// Stop after this many seconds; a command is left to run on, unrecorded.
    pub duration_s: Option<f64>,
    /// Where the recording goes. Written beside it under a temporary name, renamed when complete.
    pub output: PathBuf,
    /// Whether the file that stood there before is kept, as FILE.old.
    pub keeps_former: bool,
    /// Seed for the random intervals.
    pub seed: u64,
}

impl Options {
    /// The usual settings for a target.
    pub fn new(target: Target, output: impl Into<PathBuf>) -> Self {
        Self {
            limits_samples: !matches!(target, Target::Command { .. }),
            target,
            sampler: Sampler::Auto,
            branches: BranchSource::Auto,
            walker: Engine::Auto,
            snapshot: Snapshot::Auto,
            overhead: 0.01,
            walk_branches_max: 2_048,
            call_graph: CallGraph::Auto,
            frequency_hz: None,
            walks_per_s: 40.0,
            walk_instructions_max: 1_500,
            branch_depth: 32,
            duration_s: None,
            output: output.into(),
            keeps_former: false,
            seed: 1,
        }
    }

    /// The usual settings for a command, run in the caller's environment and directory.
    pub fn command(
        argv: impl IntoIterator<Item = impl Into<OsString>>,
        output: impl Into<PathBuf>,
    ) -> Self {
        let target = Target::Command {
            argv: argv.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            cwd: None,
            stdout: None,
        };
        Self::new(target, output)
    }

    /// Refuses settings that cannot work, before anything is started.
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        let invalid = |name, why: &str| {
            Err(RecordError::Option {
                name,
                why: why.to_owned(),
            })
        };
        if self.frequency_hz.is_some_and(|hz| hz == 0 || hz > 50_000) {
            return invalid(
                "frequency_hz",
                "1 to 50,000 samples per second are possible",
            );
        }
        if !(self.walks_per_s > 0.0 && self.walks_per_s <= 10_000.0) {
            return invalid(
                "walks_per_s",
                "more than 0 and at most 10,000 walks per second are possible",
            );
        }
        if !(OVERHEAD_MIN..=1.0).contains(&self.overhead) {
            return invalid(
                "overhead",
                "0.02 % to 100 % are possible; less does not pay for a sample a second",
            );
        }
        if !(2..=65_536).contains(&self.walk_branches_max) {
            return invalid("walk_branches_max", "2 to 65,536 branches are possible");
        }
        if self.walk_instructions_max == 0 || self.walk_instructions_max > 10_000_000 {
            return invalid(
                "walk_instructions_max",
                "1 to 10,000,000 instructions are possible",
            );
        }
        if !(2..=1_000).contains(&self.branch_depth) {
            return invalid("branch_depth", "stacks of 2 to 1,000 branches are possible");
        }
        self.check_call_graph()?;
        self.check_system()?;
        match self.duration_s {
            Some(seconds) if !(seconds > 0.0 && seconds.is_finite()) => {
                invalid("duration_s", "a duration is more than 0 seconds")
            }
            _ => Ok(()),
        }
    }

    /// What is known of threads that are followed one by one is not to be had of everybody.
    fn check_system(&self) -> Result<(), RecordError> {
        let Target::System { .. } = self.target else {
            return Ok(());
        };
        let (name, why) = if !matches!(self.branches, BranchSource::Auto | BranchSource::None) {
            (
                "branches",
                "branch records are of processes that are named, not of the whole system or a cgroup",
            )
        } else if self.sampler == Sampler::Ptrace {
            (
                "sampler",
                "only perf events sample the whole system or a cgroup",
            )
        } else {
            return Ok(());
        };
        Err(RecordError::Option {
            name,
            why: why.to_owned(),
        })
    }

    /// Copies are made by the kernel, for its own samples, and stand behind no branch records.
    fn check_call_graph(&self) -> Result<(), RecordError> {
        let CallGraph::Dwarf { stack_bytes, .. } = self.call_graph else {
            return Ok(());
        };
        let stack_bytes = stack_bytes.unwrap_or(STACK_BYTES_MAX);
        let why = if stack_bytes == 0
            || stack_bytes > STACK_BYTES_MAX
            || !stack_bytes.is_multiple_of(8)
        {
            "stacks of 8 to 65,528 bytes, a multiple of 8, can be copied"
        } else if self.branches != BranchSource::None {
            "copied stacks come without branch records"
        } else if self.sampler == Sampler::Ptrace {
            "only perf events copy stacks"
        } else {
            return Ok(());
        };
        Err(RecordError::Option {
            name: "call_graph",
            why: why.to_owned(),
        })
    }
}
