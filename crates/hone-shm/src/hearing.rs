//! The first bytes of a server's connection, which tell whether the client asks for memory.

use crate::hello::{FILES, HELLO_BYTES, MAPPED, Options, hello, is_hello_so_far, send_hello};
use crate::layout::Written;
use crate::seats::Seats;
use crate::segment;
use crate::shared::Shared;
use crate::socket::receive;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// What a server knows of a connection that has not told what it is.
pub(crate) struct Hearing {
    options: Arc<Options>,
    seats: Arc<Seats>,
    first: First,
    /// Waits for the client's word.
    offered: Option<Box<Shared>>,
}

/// First bytes of a connection, of which some are there and some given.
#[derive(Clone, Copy, Default)]
pub(crate) struct First {
    bytes: [u8; HELLO_BYTES],
    there: usize,
    given: usize,
}

impl First {
    /// Gives bytes that were none of a hello.
    pub(crate) fn give(&mut self, into: &mut [u8]) -> usize {
        let left = &self.bytes[self.given..self.there];
        let count = left.len().min(into.len());
        into[..count].copy_from_slice(&left[..count]);
        self.given += count;
        count
    }
}

/// What the first bytes have told.
pub(crate) enum Heard {
    /// The client asks for nothing, or gets nothing.
    Ordinary(First),
    Shared(Box<Shared>),
}

impl Hearing {
    pub(crate) fn new(options: Arc<Options>, seats: Arc<Seats>) -> Self {
        Self {
            options,
            seats,
            first: First::default(),
            offered: None,
        }
    }

    pub(crate) fn has_heard_nothing(&self) -> bool {
        self.first.there == 0 && self.offered.is_none()
    }

    /// Reads the first bytes.
    ///
    /// # Errors
    ///
    /// [`Errno::AGAIN`] until they have told what the connection is, or another error of the socket.
    pub(crate) fn hear(&mut self, socket: BorrowedFd<'_>) -> Result<Heard, Errno> {
        while self.offered.is_none() {
            let count = receive(socket, &mut self.first.bytes[self.first.there..])?;
            self.first.there += count;
            if count == 0 || !is_hello_so_far(&self.first.bytes[..self.first.there]) {
                return Ok(Heard::Ordinary(self.first));
            }
            if self.first.there == HELLO_BYTES {
                self.first = First::default();
                self.offered = self.answer(socket)?;
                if self.offered.is_none() {
                    return Ok(Heard::Ordinary(self.first));
                }
            }
        }
        let mut word = [0];
        let count = receive(socket, &mut word)?;
        let offered = self
            .offered
            .take()
            .filter(|_| count == 1 && word[0] == MAPPED);
        Ok(offered.map_or(Heard::Ordinary(self.first), Heard::Shared))
    }

    /// Offers memory, or says that there is none.
    fn answer(&self, socket: BorrowedFd<'_>) -> Result<Option<Box<Shared>>, Errno> {
        if let Some((shared, files)) = self.offer(socket) {
            let files = files.each_ref().map(AsFd::as_fd);
            // Files cannot be sent where too many are on their way to processes that do not take them.
            if send_hello(socket, hello(shared.ring_bytes()), &files).is_ok() {
                return Ok(Some(Box::new(shared)));
            }
        }
        send_hello(socket, hello(0), &[])?;
        Ok(None)
    }

    /// Makes memory for the client, with the files that it gets: the segment, and its end of the socket for space.
    fn offer(&self, socket: BorrowedFd<'_>) -> Option<(Shared, [OwnedFd; FILES])> {
        if !self.options.may_share(socket) {
            return None;
        }
        let seat = self.seats.take()?;
        let (ends, file) = segment::create(self.options.ring_bytes, Written::ByServer).ok()?;
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None).ok()?;
        Some((Shared::of(ends, ours, Some(seat)), [file, theirs]))
    }
}
