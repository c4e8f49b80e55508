//! Waiting for file descriptors, and descriptors that stand for processes.

use super::checked;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// Opens a descriptor that becomes readable when the process ends.
pub(crate) fn process(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two numbers and touches no memory of ours.
    let fd = checked(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })? as RawFd;
    // SAFETY: the kernel has just made this descriptor for us; no other owner of it exists.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// State of one descriptor after a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readiness {
    /// Nothing has happened yet.
    Quiet,
    /// There is something to read.
    Readable,
    /// The other side is gone: the descriptor would be "ready" at every later call too.
    HungUp,
}

/// Sleeps until one of the descriptors is ready, or the time is over.
pub(crate) fn wait(fds: &[BorrowedFd<'_>], at_most: Duration) -> io::Result<Vec<Readiness>> {
    let mut entries: Vec<libc::pollfd> = fds
        .iter()
        .map(|fd| libc::pollfd {
            fd: fd.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        })
        .collect();
    let timeout = at_most.as_millis().min(i32::MAX as u128) as i32;
    // SAFETY: the pointer and the count describe `entries`, which lives through the call.
    let result = checked(unsafe {
        libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, timeout)
    });
    match result {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
        _ => {}
    }
    Ok(entries
        .iter()
        .map(|entry| match entry.revents {
            0 => Readiness::Quiet,
            events if events & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0 => {
                Readiness::HungUp
            }
            _ => Readiness::Readable,
        })
        .collect())
}
