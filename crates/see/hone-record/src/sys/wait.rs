//! Waiting for children and traced threads.

use super::checked;
use super::signals::ChildSignals;
use std::io;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// Change of the state of a child or traced thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// The thread ended by itself with a code.
    Exited(i32),
    /// The thread was ended by a signal.
    Killed(i32),
    /// The thread stopped: the signal, and the ptrace event or 0.
    Stopped { signal: i32, event: i32 },
    /// The thread goes on after a job-control stop.
    Continued,
}

impl Change {
    fn from_status(status: i32) -> Self {
        if libc::WIFEXITED(status) {
            Self::Exited(libc::WEXITSTATUS(status))
        } else if libc::WIFSIGNALED(status) {
            Self::Killed(libc::WTERMSIG(status))
        } else if libc::WIFSTOPPED(status) {
            Self::Stopped {
                signal: libc::WSTOPSIG(status),
                event: status >> 16,
            }
        } else {
            Self::Continued
        }
    }

    /// Returns the exit status that a shell would show, if the change is an end.
    pub(crate) fn exit_status(self) -> Option<i32> {
        match self {
            Self::Exited(code) => Some(code),
            Self::Killed(signal) => Some(128 + signal),
            Self::Stopped { .. } | Self::Continued => None,
        }
    }
}

/// A change, its thread, and the CPU time that the thread and its waited-for children have used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waited {
    pub(crate) tid: i32,
    pub(crate) change: Change,
    pub(crate) cpu_s: f64,
}

fn wait(tid: i32, flags: i32) -> io::Result<Option<Waited>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `status` and `usage` are valid for writes and live through the call.
    let result = unsafe { libc::wait4(tid, &mut status, flags, usage.as_mut_ptr()) };
    match checked(result)? {
        0 => Ok(None),
        tid => {
            // SAFETY: an rusage consists of numbers only, for which zero bytes are valid too.
            let usage = unsafe { usage.assume_init() };
            let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
            Ok(Some(Waited {
                tid: tid as i32,
                change: Change::from_status(status),
                cpu_s: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            }))
        }
    }
}

/// Returns the next waiting change of any child or tracee of *this thread*; the children of other threads are
/// left to those threads.
pub(crate) fn next_change() -> io::Result<Option<Waited>> {
    match wait(-1, libc::__WALL | libc::__WNOTHREAD | libc::WNOHANG) {
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(None),
        other => other,
    }
}

/// Returns the waiting change of one thread, if there is one.
pub(crate) fn change_of(tid: i32) -> io::Result<Option<Waited>> {
    wait(tid, libc::__WALL | libc::WNOHANG)
}

/// Sleeps until one thread changes.
pub(crate) fn until_change_of(tid: i32) -> io::Result<Waited> {
    loop {
        match wait(tid, libc::__WALL) {
            Ok(Some(waited)) => return Ok(waited),
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Asks for the waiting change of one traced thread; `None` if there is none.
fn ask(tid: i32, flags: i32) -> io::Result<Option<libc::siginfo_t>> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let flags = flags | libc::__WALL | libc::WNOHANG;
    // SAFETY: `info` is valid for writes and lives through the call.
    checked(unsafe { libc::waitid(libc::P_PID, tid as libc::id_t, info.as_mut_ptr(), flags) })?;
    // SAFETY: a siginfo_t consists of numbers only, for which zero bytes are valid too.
    let info = unsafe { info.assume_init() };
    Ok((info.si_signo != 0).then_some(info))
}

/// Returns the stop of one traced thread that waits to be reported, if there is one. The end of the thread is left for
/// others to collect.
pub(crate) fn stop_of(tid: i32) -> io::Result<Option<Change>> {
    let Some(info) = ask(tid, libc::WSTOPPED)? else {
        return Ok(None);
    };
    // SAFETY: the kernel fills in the status for every change of a child.
    let status = unsafe { info.si_status() };
    Ok(Some(Change::Stopped {
        signal: status & 0x7f,
        event: status >> 8,
    }))
}

/// Returns true if a traced thread has ended; does not reap the thread.
pub(crate) fn has_ended(tid: i32) -> bool {
    match ask(tid, libc::WEXITED | libc::WNOWAIT) {
        // The kernel reports a stop to the tracer even if only an end was asked for.
        Ok(Some(info)) => {
            [libc::CLD_EXITED, libc::CLD_KILLED, libc::CLD_DUMPED].contains(&info.si_code)
        }
        Ok(None) => false,
        Err(_) => true,
    }
}

/// Sleeps until one thread changes or the time is over.
pub(crate) fn change_of_within(tid: i32, at_most: Duration) -> io::Result<Option<Waited>> {
    let end = Instant::now() + at_most;
    let signals = ChildSignals::hold();
    loop {
        if let Some(waited) = change_of(tid)? {
            return Ok(Some(waited));
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        signals.sleep(left.min(Duration::from_millis(1)));
    }
}
