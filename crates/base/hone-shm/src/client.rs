//! A client's side of how connections begin.

use crate::connection::Connection;
use crate::hello::{
    Answer, FILES, FILES_OF_PAIR, HAS_NO_PAIR, HELLO_BYTES, KNOWS_NO_PAIRS, MAPPED, Options,
    UNMAPPED, hello, is_hello_so_far, receive_hello, word_of,
};
use crate::layout::Written;
use crate::page::Page;
use crate::pair::{Pair, Seat, With};
use crate::pairs::Pairs;
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
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Connects to the socket at a path. Where the server gives no memory, or does not know it, the connection is an ordinary one.
/// It waits for the server's answer as long as [`Options::patience`].
///
/// # Errors
///
/// Those of [`UnixStream::connect`].
pub fn connect(path: impl AsRef<Path>, options: &Options) -> io::Result<Connection> {
    connected(path.as_ref(), options, None)
}

/// Does what [`connect`] does, for a connection of an event loop: where the server knows pairs, it is woken with the loop's others, and has
/// [`crate::News`] with this key.
///
/// # Errors
///
/// Those of [`connect`].
pub fn connect_in(
    path: impl AsRef<Path>,
    options: &Options,
    pairs: &Pairs,
    key: u64,
) -> io::Result<Connection> {
    let path = path.as_ref();
    connected(path, options, Some(&Pairing { pairs, key, path }))
}

/// Pairs that a connection may join, the number by which it gets news then, and where its server listens.
struct Pairing<'p> {
    pairs: &'p Pairs,
    key: u64,
    path: &'p Path,
}

fn connected(
    path: &Path,
    options: &Options,
    pairing: Option<&Pairing<'_>>,
) -> io::Result<Connection> {
    match asked(UnixStream::connect(path)?, options, pairing) {
        Some(connection) => Ok(connection),
        None => Ok(Connection::ordinary(UnixStream::connect(path)?)),
    }
}

/// Asks for memory. Returns nothing of a server that does not know how, whose connection is of no more use.
fn asked(
    socket: UnixStream,
    options: &Options,
    pairing: Option<&Pairing<'_>>,
) -> Option<Connection> {
    let had = pairing.and_then(|pairing| pairing.pairs.known().with_server(pairing.path));
    let token = match (&had, pairing) {
        (Some(pair), _) => pair.token(),
        (None, Some(_)) => HAS_NO_PAIR,
        (None, None) => KNOWS_NO_PAIRS,
    };
    let asking = hello(token);
    if transmit(socket.as_fd(), &asking) != Ok(asking.len()) {
        return None;
    }
    let mut files = Vec::new();
    let answer = answer_of(socket.as_fd(), options.patience, &mut files)?;
    if answer.ring_bytes == 0 {
        return Some(Connection::ordinary(socket));
    }
    let shared = accepted(socket.as_fd(), answer, files, options, |of_pair| {
        pairing?.seat(answer, had, of_pair)
    });
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
) -> Option<Answer> {
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
            Ok(1..=HELLO_BYTES) if files.len() > FILES + FILES_OF_PAIR => return None,
            Ok(count @ 1..) if is_hello_so_far(&answer[..there + count]) => there += count,
            _ => return None,
        }
    }
    Some(Answer::of_word(word_of(answer)))
}

/// Maps what a server has sent. Returns nothing where it is not what a server sends, or its user may not share memory.
fn accepted(
    socket: BorrowedFd<'_>,
    answer: Answer,
    mut files: Vec<OwnedFd>,
    options: &Options,
    seat: impl FnOnce(Vec<OwnedFd>) -> Option<Seat>,
) -> Option<Shared> {
    let of_pair = files.split_off(files.len().min(FILES));
    let [file, space] = <[OwnedFd; FILES]>::try_from(files).ok()?;
    if !options.may_share(socket) || !is_unix_stream(space.as_fd()) {
        return None;
    }
    let ends = segment::map(file.as_fd(), answer.ring_bytes, Written::ByClient).ok()?;
    let seat = match answer.seat {
        None if of_pair.is_empty() => None,
        None => return None,
        Some(_) => Some(seat(of_pair)?),
    };
    Some(Shared::of(ends, space, seat, None))
}

impl Pairing<'_> {
    /// Gives the connection the seat that the server names, in the pair that the client had, or in a new one, of which files have come.
    fn seat(&self, answer: Answer, had: Option<Arc<Pair>>, files: Vec<OwnedFd>) -> Option<Seat> {
        let pair = if files.is_empty() {
            had?
        } else {
            let [file, bell] = <[OwnedFd; FILES_OF_PAIR]>::try_from(files).ok()?;
            let page = Page::map(file.as_fd()).filter(|_| is_unix_stream(bell.as_fd()))?;
            let server = With::Server(self.path.to_owned());
            self.pairs.known().add(Pair::of(page, bell, server))?
        };
        pair.sit_at(answer.seat?, self.key)
    }
}

/// Whether a file that came from the other side is a stream socket of Unix, as that for space is.
fn is_unix_stream(file: BorrowedFd<'_>) -> bool {
    sockopt::socket_domain(file) == Ok(AddressFamily::UNIX)
        && sockopt::socket_type(file) == Ok(SocketType::STREAM)
}
