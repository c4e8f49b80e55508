//! Options of a recording.

use crate::error::RecordError;
use std::ffi::OsString;
use std::path::PathBuf;

/// Target of a recording.
#[derive(Clone, Debug)]
pub enum Target {
    /// Processes that already run, with their threads and future children. Processes that are gone are left out,
    /// with a warning; at least one must exist.
    Processes {
        /// Process ids.
        pids: Vec<i32>,
    },
    /// A command that the recorder starts and follows until it ends.
    Command {
        /// Program and arguments; the program is looked up in PATH.
        argv: Vec<OsString>,
        /// Variables set (`Some`) or removed (`None`) in the environment of the command.
        env: Vec<(OsString, Option<OsString>)>,
        /// Working directory of the command; the caller's if `None`. A program with a relative path is looked up
        /// from here.
        cwd: Option<PathBuf>,
        /// File for the standard output of the command; the caller's output if `None`.
        stdout: Option<PathBuf>,
    },
    /// Every process on every CPU, or every process of a cgroup; also processes that start later.
    System {
        /// The cgroup, including the groups below it: a directory, or a path below the mount point of cgroup v2.
        cgroup: Option<PathBuf>,
        /// A command that is started, and whose end ends the recording; empty for none.
        argv: Vec<OsString>,
    },
}

/// Source of branch records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchSource {
    /// Hardware if there is any, else the walker if it is safe, else none.
    Auto,
    /// The CPU's branch records (LBR, BRS); an error if there are none.
    Lbr,
    /// The walker; an error if it cannot run.
    Walk,
    /// No branch records.
    None,
}

/// Method by which the walker follows a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Emulation.
    #[default]
    Auto,
    /// Interpretation of the program's code from a snapshot of the thread, which stands still for a fraction of a
    /// millisecond.
    Emulate,
    /// Single steps of the CPU: slow, the reference for emulation, and for commands only.
    Step,
}

/// Method by which the emulating walker gets the registers of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Snapshot {
    /// No stop where that is safe; a stop where a walk would end on something unknown, or where
    /// real-time priority is not available.
    #[default]
    Auto,
    /// A stop by ptrace: all registers are known.
    Stop,
    /// No stop: a walker of higher priority only keeps the thread off its CPU. Vector registers and the
    /// thread pointer are unknown at first.
    Preempt,
}

/// Source of the IP samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sampler {
    /// perf events; if they are refused and the target is a command, a timer and ptrace.
    #[default]
    Auto,
    /// perf events; an error if they are refused.
    Perf,
    /// A timer and ptrace; for commands only.
    Ptrace,
}

/// Source of the callers of IP samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CallGraph {
    /// Frame pointers, in recordings without branch records.
    #[default]
    Auto,
    /// Frame pointers. Together with branch records, `perf script -F ip,brstack` prints the callers between the branch
    /// stacks, and llvm-profgen and perf2bolt 19 cannot read that output.
    FramePointers,
    /// Unwind information of the files, applied to a copy of registers and stack.
    Dwarf {
        /// Bytes of the stack that are copied: a multiple of eight, at most [`STACK_BYTES_MAX`]. `None` means
        /// [`STACK_BYTES_KEPT`] if copies are kept, and else the largest size that the rings hold well.
        stack_bytes: Option<u32>,
        /// True if the recording holds the copies, to be unwound by its reader.
        keeps_copies: bool,
    },
    /// No callers.
    Never,
}

/// Largest number of bytes of the stack in a sample: a record has 64 KiB.
pub const STACK_BYTES_MAX: u32 = 65_528;
/// Default number of bytes of the stack in each sample of a file that keeps copies; the same as in perf.
pub const STACK_BYTES_KEPT: u32 = 8_192;

/// Smallest overhead: less does not pay for one sample a second that wakes a walker.
const OVERHEAD_MIN: f64 = 0.000_2;

/// Options of a recording.
#[derive(Clone, Debug)]
pub struct Options {
    /// Target of the recording.
    pub target: Target,
    /// Source of the IP samples.
    pub sampler: Sampler,
    /// Source of branch records.
    pub branches: BranchSource,
    /// Method by which the walker follows the program.
    pub walker: Engine,
    /// Method by which the emulating walker gets registers.
    pub snapshot: Snapshot,
    /// Allowed cost of the emulating walker: a share of the target's CPU time, samples included.
    pub overhead: f64,
    /// True if the share limits samples without walks too, by a lower rate. The default for processes that already run;
    /// a command that was started for the recording serves nobody.
    pub limits_samples: bool,
    /// Largest number of taken branches in one emulated walk.
    pub walk_branches_max: u32,
    /// Source of the callers of IP samples.
    pub call_graph: CallGraph,
    /// IP samples per second of CPU time and thread, as far as the overhead allows. `None` for the default: 997, or with
    /// the emulating walker as many as a seventh of its overhead pays for; 19 per CPU in a recording of the whole system or
    /// of a cgroup.
    pub frequency_hz: Option<u32>,
    /// Walks per second of a running thread's time, for the stepping walker and for the timer.
    pub walks_per_s: f64,
    /// Largest number of instructions stepped per walk.
    pub walk_instructions_max: u32,
    /// Number of entries in one written branch stack; longer walks are cut into several stacks.
    pub branch_depth: u32,
    /// Seconds after which the recording stops; a command runs on, unrecorded.
    pub duration_s: Option<f64>,
    /// Path of the recording. Written under a temporary name in the same directory, renamed when complete.
    pub output: PathBuf,
    /// True if the existing file of that name is kept, as FILE.old.
    pub keeps_former: bool,
    /// Directory for copies of programs and libraries that were deleted or replaced while processes ran them, as
    /// `BUILDID/executable`, which is how clients of debuginfod keep files; `None` for no copies.
    pub nameless: Option<PathBuf>,
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
            nameless: None,
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

    /// Refuses branch records and the timer for the whole system or a cgroup: both need threads that are followed one by
    /// one.
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

    /// Refuses copies of stacks that cannot work: the kernel makes copies only for its own samples, and not with branch
    /// records.
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
