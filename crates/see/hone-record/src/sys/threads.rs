//! Threads by their numbers.

use super::checked;

/// Returns the number of the calling thread.
pub(crate) fn own_tid() -> i32 {
    // SAFETY: the call takes nothing and cannot fail.
    unsafe { libc::gettid() }
}

/// Returns false if a process has no such thread (any more), without a look into `/proc`.
pub(crate) fn is_there(pid: i32, tid: i32) -> bool {
    // SAFETY: the call takes numbers only, and signal 0 is no signal: nothing is sent.
    let sent = checked(unsafe { libc::syscall(libc::SYS_tgkill, pid, tid, 0) });
    // Any other error is about a thread that is there.
    !sent.is_err_and(|error| error.raw_os_error() == Some(libc::ESRCH))
}

/// Returns true if a thread has real-time priority.
#[cfg(test)]
pub(crate) fn has_precedence(tid: i32) -> std::io::Result<bool> {
    // SAFETY: the call takes a number only.
    checked(unsafe { libc::sched_getscheduler(tid) })
        .map(|policy| policy as i32 & !libc::SCHED_RESET_ON_FORK == libc::SCHED_FIFO)
}
