//! Capabilities of this machine for a recorder: everything is tried, nothing inferred.

use crate::command::Command;
use crate::options::Target;
use crate::procfs;
use crate::sampler::attr::Counter;
use crate::sys::{clock, ptrace, sched, wait};
use std::io;

/// Capabilities of this machine for a recorder; every field was tried, none is a guess.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Capabilities {
    /// Result of opening a hardware counter (`cycles:u`) and counting with it.
    pub hardware_cycles: Probe,
    /// Result of opening a software `cpu-clock` sampler.
    pub cpu_clock: Probe,
    /// Result of opening an event with hardware branch stacks.
    pub branch_stack: Probe,
    /// Result of opening an event that samples the kernel.
    pub kernel_samples: Probe,
    /// Result of opening a sampler of a CPU, whatever runs there.
    pub cpu_clock_of_cpus: Probe,
    /// Result of ptrace of a child of our own.
    pub ptrace_child: Probe,
    /// Result of taking real-time priority (`SCHED_FIFO`) on a thread of our own.
    pub real_time_priority: Probe,
    /// `/proc/sys/kernel/perf_event_paranoid`.
    pub perf_event_paranoid: Option<i32>,
    /// `/proc/sys/kernel/yama/ptrace_scope`; `None` without Yama.
    pub ptrace_scope: Option<i32>,
    /// Locked-memory limit in bytes; `None` for unlimited.
    pub locked_memory_bytes: Option<u64>,
    /// `/proc/sys/kernel/perf_event_mlock_kb`.
    pub perf_event_mlock_kb: Option<u64>,
}

/// Result of trying a capability.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Probe {
    /// True if the capability works.
    pub works: bool,
    /// Error of the system if the capability does not work, such as `No such file or directory (os error 2)`.
    pub why: String,
}

impl From<io::Result<()>> for Probe {
    fn from(result: io::Result<()>) -> Self {
        match result {
            Ok(()) => Self {
                works: true,
                why: String::new(),
            },
            Err(error) => Self {
                works: false,
                why: error.to_string(),
            },
        }
    }
}

/// Tries the capabilities of this machine.
pub fn capabilities() -> Capabilities {
    Capabilities {
        hardware_cycles: Counter::Cycles.probe().into(),
        cpu_clock: Counter::CpuClockUser.probe().into(),
        branch_stack: Counter::CyclesWithBranches.probe().into(),
        kernel_samples: Counter::CpuClock.probe().into(),
        cpu_clock_of_cpus: Counter::CpuClock.probe_cpu().into(),
        ptrace_child: on_own_thread(try_ptrace).into(),
        real_time_priority: on_own_thread(|| {
            sched::take_precedence(sched::Precedence::OverOrdinary)
        })
        .into(),
        perf_event_paranoid: procfs::setting("kernel/perf_event_paranoid"),
        ptrace_scope: procfs::setting("kernel/yama/ptrace_scope"),
        locked_memory_bytes: clock::locked_memory_bytes(),
        perf_event_mlock_kb: procfs::setting("kernel/perf_event_mlock_kb"),
    }
}

/// Runs `work` on a thread of its own: ptrace belongs to a thread, and a thread that ends leaves nothing traced behind.
fn on_own_thread(work: fn() -> io::Result<()>) -> io::Result<()> {
    let thread = std::thread::Builder::new().spawn(work)?;
    thread
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("the trial failed")))
}

/// Seizes, stops and reads a child that waits at its gate, and ends it.
fn try_ptrace() -> io::Result<()> {
    let target = Target::Command {
        argv: vec!["/proc/self/exe".into()],
        env: Vec::new(),
        cwd: None,
        stdout: None,
    };
    let Some(command) = Command::prepare(&target).map_err(io::Error::other)? else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let child = command.start().map_err(io::Error::other)?;
    let pid = child.pid();
    let trial = || {
        ptrace::seize(pid)?;
        ptrace::interrupt(pid)?;
        wait::until_change_of(pid)?;
        ptrace::registers(pid).map(drop)
    };
    let result = trial();
    child.abandon();
    result
}
