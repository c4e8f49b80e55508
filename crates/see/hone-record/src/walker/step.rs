//! A walk by single steps: the processor finds the way, at the price of a trap for each instruction.
//!
//! If a tracer is killed in mid-step, the thread dies with it, since the trace flag is still set and nobody
//! takes the trap. So only commands that the recorder has started itself are stepped.

use super::code::{Code, Decoded, Kind};
use super::{End, Taken, Walk};
use crate::error::{RecordError, system};
use crate::sys::clock;
use crate::sys::ptrace;
use crate::sys::wait::{self, Change};
use crate::tracer::{Running, Tracer, is_job_control};
use hone_profile::ThirdArgument;

/// Result of one step.
enum Stepped {
    /// The thread is at another instruction, or at the same instruction once more.
    To(u64),
    /// The walk is over, and the caller may not let the thread go on.
    Over(End),
}

/// Follows a thread from `ip` on for up to `steps_max` instructions and then lets the thread go on.
pub(crate) fn walk(
    tracer: &mut Tracer,
    running: Running,
    ip: u64,
    steps_max: u32,
) -> Result<Walk, RecordError> {
    let mut code = Code::of(running.pid);
    let mut branches = Vec::new();
    let mut ip = ip;
    let mut steps = 0;
    let end = loop {
        if steps == steps_max {
            break End::Length;
        }
        let instruction = code.at(ip);
        if let Kind::Refused(end) = instruction.kind {
            break end;
        }
        let next = match step(tracer, running.tid, ip, instruction)? {
            Stepped::To(next) => next,
            Stepped::Over(end) => {
                return Ok(finished(running, branches, steps, end));
            }
        };
        steps += 1;
        match movement(ip, instruction, next) {
            Movement::Straight => {}
            Movement::Branch => {
                branches.push(Taken {
                    from: ip,
                    to: next,
                    third_argument: ThirdArgument::UNKNOWN,
                    time_ns: clock::monotonic_ns(),
                });
            }
            Movement::Unexplained => break End::Jumped,
        }
        ip = next;
    };
    tracer.go_on(running.tid);
    Ok(finished(running, branches, steps, end))
}

fn finished(running: Running, branches: Vec<Taken>, steps: u32, end: End) -> Walk {
    Walk {
        pid: running.pid,
        tid: running.tid,
        cpu: running.cpu,
        branches,
        steps,
        end,
        met: None,
        // Every step read the code anew.
        code_since_ns: clock::monotonic_ns(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Movement {
    Straight,
    Branch,
    Unexplained,
}

fn movement(ip: u64, instruction: Decoded, next: u64) -> Movement {
    let behind = ip.wrapping_add(instruction.len);
    match instruction.kind {
        Kind::Transfer => Movement::Branch,
        _ if next == behind => Movement::Straight,
        Kind::Conditional => Movement::Branch,
        Kind::Repeats if next == ip => Movement::Straight,
        _ => Movement::Unexplained,
    }
}

fn step(
    tracer: &mut Tracer,
    tid: i32,
    ip: u64,
    instruction: Decoded,
) -> Result<Stepped, RecordError> {
    if ptrace::single_step(tid).is_err() {
        // The thread was killed meanwhile; its end is reported in due course.
        return Ok(Stepped::Over(End::Gone));
    }
    let waited = match wait::until_change_of(tid) {
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => {
            return Ok(Stepped::Over(End::Gone));
        }
        other => other.map_err(system("wait4"))?,
    };
    let end = match waited.change {
        Change::Stopped {
            signal: libc::SIGTRAP,
            event: 0,
        } => {
            let Ok(next) = ptrace::instruction_pointer(tid) else {
                return Ok(Stepped::Over(End::Gone));
            };
            let stood_still = next == ip && instruction.kind == Kind::Plain;
            if !stood_still || ptrace::is_step_trap(tid).unwrap_or(false) {
                return Ok(Stepped::To(next));
            }
            End::Signal
        }
        Change::Stopped {
            signal,
            event: ptrace::EVENT_STOP,
        } if is_job_control(signal) => {
            // Seizing the thread anew clears the trace flag and leaves the stop of the job control in force.
            let _ = ptrace::detach(tid);
            let _ = ptrace::seize(tid);
            return Ok(Stepped::Over(End::Stopped));
        }
        Change::Stopped { event: 0, .. } => End::Signal,
        Change::Stopped {
            event: ptrace::EVENT_STOP,
            ..
        }
        | Change::Continued => End::Stopped,
        Change::Stopped { .. } | Change::Exited(_) | Change::Killed(_) => End::Gone,
    };
    tracer.handle(waited);
    Ok(Stepped::Over(end))
}
