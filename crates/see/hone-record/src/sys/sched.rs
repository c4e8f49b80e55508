//! CPU and priority of threads of ours.

use super::checked;
use super::clock::limit;
use std::io;
use std::mem::MaybeUninit;

/// Keeps the calling thread on one CPU.
pub(crate) fn stay_on(cpu: u32) -> io::Result<()> {
    if cpu as usize >= libc::CPU_SETSIZE as usize {
        return Err(io::ErrorKind::Unsupported.into());
    }
    // SAFETY: a cpu_set_t is a bit field, for which zero bytes are valid and mean the empty set.
    let mut set: libc::cpu_set_t = unsafe { MaybeUninit::zeroed().assume_init() };
    // SAFETY: the CPU's number lies within the set, as checked before.
    unsafe { libc::CPU_SET(cpu as usize, &mut set) };
    // SAFETY: the set is initialised, its size is given, and it lives through the call; 0 is the caller.
    checked(unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) }).map(drop)
}

/// Precedence of a thread over ordinary threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precedence {
    OverOrdinary = 1,
    /// Also over threads of ours with the former.
    OverOurs = 2,
}

/// Gives the calling thread precedence; threads and children that it makes do not inherit it.
pub(crate) fn take_precedence(over: Precedence) -> io::Result<()> {
    let parameters = libc::sched_param {
        sched_priority: over as i32,
    };
    let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
    // SAFETY: the parameters are initialised and live through the call; 0 is the calling thread.
    checked(unsafe { libc::sched_setscheduler(0, policy, &parameters) }).map(drop)
}

/// Makes a thread of ours an ordinary one again; 0 is the calling thread.
pub(crate) fn take_precedence_from(tid: i32) -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the parameters are initialised and live through the call.
    checked(unsafe { libc::sched_setscheduler(tid, libc::SCHED_OTHER, &parameters) }).map(drop)
}

/// CPU time in microseconds that a thread with real-time priority may use without a single sleep, before the kernel
/// ends this process rather than let the thread hold a CPU.
const PRECEDENCE_MAX_US: u64 = 2_000_000;

/// Makes the kernel limit our threads with real-time priority. If the kernel refuses, nothing is lost but
/// this last resort.
pub(crate) fn limit_precedence() {
    if let Ok(mut time) = limit(libc::RLIMIT_RTTIME) {
        time.rlim_cur = time.rlim_max.min(PRECEDENCE_MAX_US);
        // SAFETY: `time` is an initialised rlimit that lives through the call.
        let _ = checked(unsafe { libc::setrlimit(libc::RLIMIT_RTTIME, &time) });
    }
}
