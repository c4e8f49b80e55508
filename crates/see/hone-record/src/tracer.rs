//! The threads of a traced command: keeps a list of them, handles what they report, and stops a thread so that
//! the program does not notice.
//!
//! Everything here happens on one thread, since ptrace belongs to a thread. When that thread ends, the
//! kernel releases every traced thread without stopping it. A recording ends in this way, which is
//! gentler than `PTRACE_DETACH`: a detach needs a stop first and would interrupt sleeping system calls.
//! Nothing here may end while a thread is being single-stepped.

use crate::error::{RecordError, system};
use crate::procfs;
use crate::sys::ptrace::{self, Registers};
use crate::sys::signals::ChildSignals;
use crate::sys::wait::{self, Change, Waited};
use rustc_hash::FxHashMap;
use std::io;
use std::time::{Duration, Instant};

/// Time between two looks for stopped threads: the other threads of this process may swallow the signal that
/// ends the sleep, so the time must not be long.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// Time within which a thread must stop. A slower thread is in some long system call, or gets no CPU.
const STOP_WITHIN: Duration = Duration::from_millis(100);
/// The code segment of 64-bit user code.
pub(crate) const CS_64: u64 = 0x33;

/// Reason not to stop a thread that might be in a system call.
pub(crate) const FENCED: &str = "under a seccomp filter";

/// A thread that runs on a CPU, as far as can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Running {
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) cpu: u32,
}

/// Result of an attempt to stop a thread in user code.
pub(crate) enum Stop {
    /// The thread stands still; its registers.
    InUserCode(Box<Registers>),
    /// The thread is not stopped, for this reason, and goes on.
    Not(&'static str),
}

/// The traced threads.
pub(crate) struct Tracer {
    main: i32,
    /// Process of each thread.
    tasks: FxHashMap<i32, i32>,
    ended: Option<Waited>,
    execs: Vec<i32>,
}

impl Tracer {
    /// Traces a child that waits at its gate.
    pub(crate) fn seize(pid: i32) -> Result<Self, RecordError> {
        ptrace::seize(pid).map_err(|source| RecordError::TraceRefused { source })?;
        let tasks = FxHashMap::from_iter([(pid, pid)]);
        Ok(Self {
            main: pid,
            tasks,
            ended: None,
            execs: Vec::new(),
        })
    }

    /// Returns how the command ended, once it has ended.
    pub(crate) fn ended(&self) -> Option<Waited> {
        self.ended
    }

    /// Processes that have become another program since the last call.
    pub(crate) fn take_execs(&mut self) -> Vec<i32> {
        std::mem::take(&mut self.execs)
    }

    /// Handles everything that threads report until the time is over or the command ends.
    pub(crate) fn attend(&mut self, until: Instant) -> Result<(), RecordError> {
        while self.ended.is_none() {
            let signals = ChildSignals::hold();
            match wait::next_change().map_err(system("wait4"))? {
                Some(waited) => {
                    drop(signals);
                    self.handle(waited);
                }
                None => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Ok(());
                    }
                    signals.sleep(left.min(LOOK_EVERY));
                }
            }
        }
        Ok(())
    }

    /// Handles one report. A thread that is gone by now needs no action.
    pub(crate) fn handle(&mut self, waited: Waited) {
        let tid = waited.tid;
        match waited.change {
            Change::Exited(_) | Change::Killed(_) => {
                self.tasks.remove(&tid);
                if tid == self.main {
                    self.ended = Some(waited);
                }
            }
            Change::Continued => {}
            Change::Stopped { signal, event } => {
                self.note(tid);
                match event {
                    0 => drop(ptrace::resume(tid, signal)),
                    ptrace::EVENT_STOP if is_job_control(signal) => drop(ptrace::listen(tid)),
                    ptrace::EVENT_STOP => {
                        if let Ok(registers) = ptrace::registers(tid) {
                            hide_interruption(tid, &registers);
                        }
                        let _ = ptrace::resume(tid, 0);
                    }
                    libc::PTRACE_EVENT_EXEC => {
                        self.note_exec(tid);
                        let _ = ptrace::resume(tid, 0);
                    }
                    _ => {
                        if let Ok(child) = ptrace::event_message(tid) {
                            self.note(child as i32);
                        }
                        let _ = ptrace::resume(tid, 0);
                    }
                }
            }
        }
    }

    fn note(&mut self, tid: i32) {
        if !self.tasks.contains_key(&tid)
            && let Some(pid) = procfs::process_of(tid)
        {
            self.tasks.insert(tid, pid);
        }
    }

    /// Notes an exec, after which only one thread is left, under the id of the process.
    fn note_exec(&mut self, pid: i32) {
        self.tasks.retain(|_, owner| *owner != pid);
        self.tasks.insert(pid, pid);
        self.execs.push(pid);
    }

    /// The traced threads and their processes.
    pub(crate) fn tasks(&self) -> &FxHashMap<i32, i32> {
        &self.tasks
    }

    /// Stops a running thread, if the thread is in user code at that moment.
    pub(crate) fn stop(&mut self, tid: i32) -> Result<Stop, RecordError> {
        if procfs::is_fenced(tid) {
            return Ok(Stop::Not(FENCED));
        }
        if ptrace::interrupt(tid).is_err() {
            return Ok(Stop::Not("thread gone"));
        }
        let waited = match wait::change_of_within(tid, STOP_WITHIN) {
            Ok(Some(waited)) => waited,
            // The thread will stop some time later, and `attend` will let it go on.
            Ok(None) => return Ok(Stop::Not("did not stop in time")),
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => {
                return Ok(Stop::Not("thread gone"));
            }
            Err(error) => return Err(system("wait4")(error)),
        };
        match waited.change {
            Change::Stopped {
                signal,
                event: ptrace::EVENT_STOP,
            } if !is_job_control(signal) => {}
            _ => {
                self.handle(waited);
                return Ok(Stop::Not("something else happened"));
            }
        }
        match ptrace::registers(tid) {
            Ok(registers) if (registers.orig_rax as i64) < 0 && registers.cs == CS_64 => {
                Ok(Stop::InUserCode(Box::new(registers)))
            }
            answer => {
                let reason = match answer {
                    Ok(registers) if registers.cs != CS_64 => "32-bit code",
                    Ok(_) => "in the kernel",
                    Err(_) => "thread gone",
                };
                self.handle(waited);
                Ok(Stop::Not(reason))
            }
        }
    }

    /// Lets a stopped thread go on.
    pub(crate) fn go_on(&self, tid: i32) {
        let _ = ptrace::resume(tid, 0);
    }
}

/// Returns true if an event stop comes from job control.
pub(crate) fn is_job_control(signal: i32) -> bool {
    matches!(
        signal,
        libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU
    )
}

/// Undoes the effect that our stop may have had on a system call.
///
/// A thread that enters a sleeping call just when it is stopped is woken. Most calls are restarted by the
/// kernel; some, such as epoll_wait, return EINTR, which a program may not expect. If no signal explains the
/// EINTR, the kernel is told to restart the call. `close` is an exception: it has done its work in spite of the EINTR.
pub(crate) fn hide_interruption(tid: i32, registers: &Registers) {
    let call = registers.orig_rax as i64;
    let interrupted = call >= 0
        && call != libc::SYS_close
        && registers.rax as i64 == -i64::from(libc::EINTR)
        && registers.cs == CS_64;
    if interrupted && !procfs::has_signal(tid) {
        // If the thread has gone meanwhile, there is nothing to hide.
        let _: io::Result<()> = ptrace::restart_system_call(tid);
    }
}
