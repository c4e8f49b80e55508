//! Stops one thread for one look, without tracing it before or after.
//!
//! The thread is seized, interrupted, looked at and let go within a fraction of a millisecond. If the
//! recorder is killed meanwhile, the kernel lets the thread go on as if nothing had happened.

use crate::procfs;
use crate::sys::ptrace::{self, Registers};
use crate::sys::signals::ChildSignals;
use crate::sys::wait::{self, Change};
use crate::tracer::{CS_64, hide_interruption, is_job_control};
use std::io;
use std::time::{Duration, Instant};

/// Time within which a thread must stop; a slower thread gets no CPU.
const WITHIN: Duration = Duration::from_millis(100);
/// Time between two looks: another thread of ours may swallow the signal that ends the sleep.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Result of an attempt to stop a thread in user code.
pub(crate) enum Stop {
    /// The thread stands still until [`Stops::go_on`].
    InUserCode(Box<Registers>),
    /// The thread runs on, for this reason.
    Not(&'static str),
    /// The thread belongs to somebody else: to a debugger, or to a process that we may not trace.
    Refused(io::Error),
}

/// Stops threads one at a time. All calls must come from one thread of ours, since ptrace belongs to a thread.
#[derive(Default)]
pub(crate) struct Stops {
    /// Process and thread of each thread that is still attached: the thread was asked to stop, but had no CPU to do so,
    /// or is being killed.
    late: Vec<(i32, i32)>,
}

impl Stops {
    /// Stops a thread of a process, if the thread is in user code at that moment.
    pub(crate) fn stop(&mut self, pid: i32, tid: i32) -> Stop {
        if self.late.iter().any(|(_, late)| [pid, tid].contains(late)) {
            return Stop::Not("did not stop in time");
        }
        match ptrace::seize_alone(tid) {
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {
                return Stop::Not("thread gone");
            }
            Err(error) => return Stop::Refused(error),
            Ok(()) => {}
        }
        // If the call fails, the thread has just ended, which the wait finds out.
        let _ = ptrace::interrupt(tid);
        match stop_within(tid) {
            Some(stopped) => self.look(pid, tid, stopped),
            None if take_ended(tid) => {
                self.late.extend(found_again(pid, tid));
                Stop::Not("thread gone")
            }
            None => {
                self.late.push((pid, tid));
                Stop::Not("did not stop in time")
            }
        }
    }

    /// Lets a stopped thread go.
    pub(crate) fn go_on(&mut self, pid: i32, tid: i32) {
        if ptrace::detach(tid).is_err() {
            // The thread is being killed: when it has ended, its tracer has to collect the end.
            self.late.push((pid, tid));
        }
    }

    fn look(&mut self, pid: i32, tid: i32, stopped: Change) -> Stop {
        let reason = match stopped {
            Change::Stopped {
                signal,
                event: ptrace::EVENT_STOP,
            } if !is_job_control(signal) => match ptrace::registers(tid) {
                Ok(registers) if registers.cs != CS_64 => "32-bit code",
                Ok(registers) if (registers.orig_rax as i64) < 0 => {
                    return Stop::InUserCode(Box::new(registers));
                }
                Ok(_) => "in the kernel",
                Err(_) => "thread gone",
            },
            _ => "something else happened",
        };
        if let_go(tid, stopped).is_err() {
            self.late.push((pid, tid));
        }
        Stop::Not(reason)
    }

    /// Lets go of threads that have stopped after all. Must be called now and then.
    pub(crate) fn attend(&mut self) {
        let mut found = Vec::new();
        self.late.retain(|&(pid, tid)| {
            let stays = is_ours(tid)
                && match wait::stop_of(tid) {
                    Ok(Some(stopped)) => let_go(tid, stopped).is_err(),
                    // For a thread that has ended the kernel reports that there is no such child to stop.
                    Ok(None) | Err(_) => !take_ended(tid),
                };
            if !stays {
                found.extend(found_again(pid, tid));
            }
            stays
        });
        self.late.extend(found);
    }
}

/// Finds a thread again that became another program: the thread took the number of its process, and its tracer along.
/// Asks the thread to stop under that number.
fn found_again(pid: i32, tid: i32) -> Option<(i32, i32)> {
    let is_another = pid != tid && is_ours(pid);
    is_another.then(|| {
        let _ = ptrace::interrupt(pid);
        (pid, pid)
    })
}

/// Returns true if the calling thread traces this thread.
fn is_ours(tid: i32) -> bool {
    procfs::tracer_of(tid) == Some(ptrace::own_thread())
}

/// Sleeps until a thread stops, ends or the time is over.
fn stop_within(tid: i32) -> Option<Change> {
    let end = Instant::now() + WITHIN;
    let signals = ChildSignals::hold();
    loop {
        if let Some(stopped) = wait::stop_of(tid).ok()? {
            return Some(stopped);
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || wait::has_ended(tid) {
            return None;
        }
        signals.sleep(left.min(LOOK_EVERY));
    }
}

/// Returns true if a thread has ended. The end is reported to the tracer first, and to the parent only when the
/// tracer has collected it; if this process is the parent, the end is left for another thread here to collect.
fn take_ended(tid: i32) -> bool {
    if !wait::has_ended(tid) {
        return false;
    }
    if !procfs::is_own_child(tid) {
        let _ = wait::change_of(tid);
    }
    true
}

/// Detaches from a thread that has stopped for whatever reason, and leaves that reason in force.
fn let_go(tid: i32, stopped: Change) -> io::Result<()> {
    match stopped {
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    const EXECS_LEFT: &str = "HONE_TEST_EXECS_LEFT";

    /// A child that is always killed on drop.
    struct Killed(Child);

    impl Drop for Killed {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    fn on_first_cpu(scheduling: &[&str], program: &[&str]) -> Command {
        let cpu = procfs::online_cpus()[0].to_string();
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", &cpu, "chrt"]);
        command.args(scheduling).arg("0").args(program);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Not a test by itself, but the program that the test below starts. Each thread of a test but the first is not the
    /// leader of its process, and becomes the same program again.
    #[test]
    fn becomes_itself_again() {
        let left = std::env::var(EXECS_LEFT).ok();
        let Some(left @ 1..) = left.and_then(|left| left.parse::<u32>().ok()) else {
            return;
        };
        let error = Command::new(std::env::current_exe().unwrap())
            .args(std::env::args().skip(1))
            .env(EXECS_LEFT, (left - 1).to_string())
            .exec();
        panic!("{error}");
    }

    /// Asks /proc, since a thread that waits for a child also takes its stops, in place of the tracer.
    fn has_ended_with_all_threads(pid: i32) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        status.contains("State:\tZ") && procfs::threads(pid).len() <= 1
    }

    /// The thread has hardly any CPU, so that it is asked to stop amid calls of exec, and stops too late.
    #[test]
    #[ignore = "waits on a clock"]
    fn a_thread_that_is_late_and_becomes_another_program_goes_on() {
        if Command::new("chrt").arg("--help").output().is_err() {
            println!("skipped: chrt and taskset (package util-linux) are not there");
            return;
        }
        let spin = || {
            let command = ["sh", "-c", "while :; do :; done"];
            Killed(on_first_cpu(&["--other"], &command).spawn().unwrap())
        };
        let _others = [spin(), spin()];
        let own = std::env::current_exe().unwrap();
        let name = "walker::stop::tests::becomes_itself_again";
        let chain = [own.to_str().unwrap(), "--exact", name, "--test-threads=2"];
        let mut chain = on_first_cpu(&["--idle"], &chain);
        let mut chain = Killed(chain.env(EXECS_LEFT, "5").spawn().unwrap());
        let pid = chain.0.id() as i32;

        let mut stops = Stops::default();
        let (mut late, mut seen) = (0, Instant::now());
        let mut progress = 0;
        let began = Instant::now();
        while !has_ended_with_all_threads(pid) {
            if began.elapsed() > Duration::from_secs(30) {
                println!("skipped: the rest; a starved program takes too long here ({late} late)");
                return;
            }
            for tid in procfs::threads(pid) {
                match stops.stop(pid, tid) {
                    Stop::InUserCode(_) => stops.go_on(pid, tid),
                    Stop::Not("did not stop in time") => late += 1,
                    // The kernel refuses amid a call of exec, and also where the thread is already stopped.
                    Stop::Not(_) | Stop::Refused(_) => {}
                }
            }
            stops.attend();
            let cpu = procfs::thread_cpu_ns(pid).unwrap_or_default();
            if cpu != progress {
                (progress, seen) = (cpu, Instant::now());
            }
            assert!(seen.elapsed() < Duration::from_secs(60), "it stands still");
        }
        let ended = chain.0.wait().unwrap();
        assert!(ended.success(), "{ended}");
        assert!(late > 0, "it was never late");
    }
}
