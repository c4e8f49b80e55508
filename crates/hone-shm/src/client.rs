//! A client's side of how connections begin.

use crate::connection::Connection;
use crate::hello::{
    FILES, HELLO_BYTES, MAPPED, Options, UNMAPPED, hello, is_hello_so_far, receive_hello,
    ring_bytes_of,
};
use crate::layout::Written;
use crate::segment;
use crate::shared::Shared;
use crate::socket::{transmit, wait};
use rustix::event::{PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketType, sockopt};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// Connects to the socket at a path. Where the server gives no memory, or does not know it, the connection is an ordinary one.
/// It waits for the server's answer as long as [`Options::patience`].
///
/// # Errors
///
/// Those of [`UnixStream::connect`].
pub fn connect(path: impl AsRef<Path>, options: &Options) -> io::Result<Connection> {
    match asked(UnixStream::connect(&path)?, options) {
        Some(connection) => Ok(connection),
        None => Ok(Connection::ordinary(UnixStream::connect(&path)?)),
    }
}

/// Asks for memory. Returns nothing of a server that does not know how, whose connection is of no more use.
fn asked(socket: UnixStream, options: &Options) -> Option<Connection> {
    let asking = hello(0);
    if transmit(socket.as_fd(), &asking) != Ok(asking.len()) {
        return None;
    }
    let mut files = Vec::new();
    let answer = answer_of(socket.as_fd(), options.patience, &mut files)?;
    let ring_bytes = ring_bytes_of(answer);
    if ring_bytes == 0 {
        return Some(Connection::ordinary(socket));
    }
    let shared = accepted(socket.as_fd(), ring_bytes, files, options);
    let word = if shared.is_some() { MAPPED } else { UNMAPPED };
    if transmit(socket.as_fd(), &[word]) != Ok(1) {
        return None;
    }
    Some(match shared {
        Some(shared) => Connection::shared(socket, shared),
        None => Connection::ordinary(socket),
    })
}

/// Receives a server's answer and the files that come with it. Returns nothing of a server that does not know shared memory.
fn answer_of(
    socket: BorrowedFd<'_>,
    patience: Duration,
    files: &mut Vec<OwnedFd>,
) -> Option<[u8; HELLO_BYTES]> {
    let began = Instant::now();
    let mut answer = [0; HELLO_BYTES];
    let mut there = 0;
    while there < answer.len() {
        match receive_hello(socket, &mut answer[there..], files) {
            Err(Errno::AGAIN) => {
                // A time that the system cannot tell is for ever.
                let left = Timespec::try_from(patience.saturating_sub(began.elapsed())).ok();
                if !wait(socket, PollFlags::IN, left.as_ref()).is_ok_and(|came| came) {
                    return None;
                }
            }
            Ok(1..=HELLO_BYTES) if files.len() > FILES => return None,
            Ok(count @ 1..) if is_hello_so_far(&answer[..there + count]) => there += count,
            _ => return None,
        }
    }
    Some(answer)
}

/// Maps what a server has sent. Returns nothing where it is not what a server sends, or its user may not share memory.
fn accepted(
    socket: BorrowedFd<'_>,
    ring_bytes: u64,
    files: Vec<OwnedFd>,
    options: &Options,
) -> Option<Shared> {
    let [file, space] = <[OwnedFd; FILES]>::try_from(files).ok()?;
    if !options.may_share(socket) || !is_unix_stream(space.as_fd()) {
        return None;
    }
    let ends = segment::map(file.as_fd(), ring_bytes, Written::ByClient).ok()?;
    Some(Shared::of(ends, space, None))
}

/// Whether a file that came from the other side is a stream socket of Unix, as that for space is.
fn is_unix_stream(file: BorrowedFd<'_>) -> bool {
    sockopt::socket_domain(file) == Ok(AddressFamily::UNIX)
        && sockopt::socket_type(file) == Ok(SocketType::STREAM)
}
