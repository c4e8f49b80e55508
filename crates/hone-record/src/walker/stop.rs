//! One thread stopped for one look, and not traced before or after.
//!
//! The thread is seized, interrupted, looked at and let go within a fraction of a millisecond. Should the
//! recorder be killed meanwhile, the kernel lets the thread go on as if nothing had been.

use crate::sys::ptrace::{self, Registers};
use crate::sys::wait::{self, Change, Waited};
use crate::tracer::{CS_64, hide_interruption, is_job_control};
use std::time::Duration;

/// A thread that does not stop within this time gets no CPU.
const WITHIN: Duration = Duration::from_millis(100);

/// What came of the wish to stop a thread in user code.
pub(crate) enum Stop {
    /// It stands still until [`Stops::go_on`].
    InUserCode(Box<Registers>),
    /// It runs on, for this reason.
    Not(&'static str),
    /// It is somebody else's: a debugger's, or a process that we may not trace.
    Refused(std::io::Error),
    /// It has ended, and this was its last word.
    Ended(Waited),
}

/// Stops threads one at a time. All calls must come from one thread of ours, since ptrace belongs to a thread.
#[derive(Default)]
pub(crate) struct Stops {
    /// Threads that were asked to stop, but had no CPU to do it.
    late: Vec<i32>,
}

impl Stops {
    /// Stops a thread, if it is in user code then.
    pub(crate) fn stop(&mut self, tid: i32) -> Stop {
        if self.late.contains(&tid) {
            return Stop::Not("did not stop in time");
        }
        match ptrace::seize_alone(tid) {
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {
                return Stop::Not("thread gone");
            }
            Err(error) => return Stop::Refused(error),
            Ok(()) => {}
        }
        if ptrace::interrupt(tid).is_err() {
            // It has just ended; a leader's end is for its parent to hear of.
            return self
                .ended(tid)
                .map_or(Stop::Not("thread gone"), Stop::Ended);
        }
        match wait::change_of_within(tid, WITHIN) {
            Ok(Some(waited)) => self.look(waited),
            Ok(None) => {
                self.late.push(tid);
                Stop::Not("did not stop in time")
            }
            Err(_) => Stop::Not("thread gone"),
        }
    }

    fn ended(&self, tid: i32) -> Option<Waited> {
        let waited = wait::change_of(tid).ok()??;
        waited.change.exit_status().map(|_| waited)
    }

    fn look(&self, waited: Waited) -> Stop {
        let tid = waited.tid;
        match waited.change {
            Change::Stopped {
                signal,
                event: ptrace::EVENT_STOP,
            } if !is_job_control(signal) => {}
            Change::Exited(_) | Change::Killed(_) => return Stop::Ended(waited),
            _ => {
                let_go(waited);
                return Stop::Not("something else happened");
            }
        }
        match ptrace::registers(tid) {
            Ok(registers) if (registers.orig_rax as i64) < 0 && registers.cs == CS_64 => {
                Stop::InUserCode(Box::new(registers))
            }
            answer => {
                let_go(waited);
                Stop::Not(match answer {
                    Ok(registers) if registers.cs != CS_64 => "32-bit code",
                    Ok(_) => "in the kernel",
                    Err(_) => "thread gone",
                })
            }
        }
    }

    /// Lets a stopped thread go.
    pub(crate) fn go_on(&self, tid: i32) {
        // One that was killed meanwhile needs nothing more.
        let _ = ptrace::detach(tid);
    }

    /// Lets go of threads that have stopped after all. To be called now and then.
    pub(crate) fn attend(&mut self) -> Option<Waited> {
        let mut ended = None;
        self.late.retain(|tid| match wait::change_of(*tid) {
            Ok(None) => true,
            Ok(Some(waited)) => {
                if waited.change.exit_status().is_some() {
                    ended = Some(waited);
                } else {
                    let_go(waited);
                }
                false
            }
            Err(_) => false,
        });
        ended
    }
}

/// Detaches from a thread that has stopped for whatever reason, and leaves that reason in force.
fn let_go(waited: Waited) {
    let tid = waited.tid;
    let _ = match waited.change {
        Change::Stopped { signal, event: 0 } => ptrace::detach_with(tid, signal),
        Change::Stopped { signal, .. } => {
            if !is_job_control(signal)
                && let Ok(registers) = ptrace::registers(tid)
            {
                hide_interruption(tid, &registers);
            }
            ptrace::detach(tid)
        }
        _ => Ok(()),
    };
}
