//! What goes over the sockets of a connection, without waiting.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, Shutdown, SocketFlags, SocketType, recv, send, shutdown,
    socketpair,
};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

/// Makes both ends of a socket that wakes go over.
pub(crate) fn socket_pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None)
}

/// Reads what is there.
pub(crate) fn receive(socket: BorrowedFd<'_>, into: &mut [u8]) -> Result<usize, Errno> {
    retry_on_intr(|| recv(socket, &mut *into, RecvFlags::DONTWAIT)).map(|(_, count)| count)
}

/// Writes what there is room for.
pub(crate) fn transmit(socket: BorrowedFd<'_>, from: &[u8]) -> Result<usize, Errno> {
    retry_on_intr(|| send(socket, from, SendFlags::DONTWAIT | SendFlags::NOSIGNAL))
}

/// Wakes the other side. Where the socket takes nothing more, that side has been woken often enough, or has ended, which its
/// reader sees.
pub(crate) fn wake(socket: BorrowedFd<'_>) {
    let _ = transmit(socket, &[1]);
}

/// What has woken this side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wakes {
    Taken,
    None,
    /// The other side has ended.
    End,
}

/// Takes what has woken this side.
pub(crate) fn take_wakes(socket: BorrowedFd<'_>) -> Wakes {
    match receive(socket, &mut [0; 64]) {
        Ok(1..) => Wakes::Taken,
        Err(Errno::AGAIN) => Wakes::None,
        Ok(0) | Err(_) => Wakes::End,
    }
}

/// How often a side that is woken without a reason looks again: the other one may send more wake-ups than anybody takes.
pub(crate) const ROUNDS_MAX: usize = 16;

/// Returns true if the other side has closed its end of a socket that wakes come over.
pub(crate) fn has_other_ended(socket: BorrowedFd<'_>) -> bool {
    let mut rounds = (0..ROUNDS_MAX).map(|_| take_wakes(socket));
    rounds.find(|wakes| *wakes != Wakes::Taken) == Some(Wakes::End)
}

/// Shuts a socket down. One that is no more connected is shut down already.
pub(crate) fn shut_down(socket: BorrowedFd<'_>, how: Shutdown) {
    let _ = shutdown(socket, how);
}

/// Waits for an event of a socket; for ever without a time. Returns false if the time has passed.
pub(crate) fn wait(
    socket: BorrowedFd<'_>,
    event: PollFlags,
    time: Option<&Timespec>,
) -> io::Result<bool> {
    let mut waited = [PollFd::from_borrowed_fd(socket, event)];
    Ok(retry_on_intr(|| poll(&mut waited, time))? > 0)
}
