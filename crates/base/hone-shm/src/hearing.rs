//! The first bytes of a server's connection, which tell whether the client asks for memory.

use crate::hello::{
    Answer, HELLO_BYTES, KNOWS_NO_PAIRS, MAPPED, Options, hello, is_hello_so_far, send_hello,
    word_of,
};
use crate::layout::Written;
use crate::open_segments::OpenSegments;
use crate::pairs::Known;
use crate::segment;
use crate::shared::Shared;
use crate::socket::{receive, socket_pair};
use rustix::io::Errno;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// What a server knows of a connection that has not told what it is.
pub(crate) struct Hearing {
    options: Arc<Options>,
    segments: Arc<OpenSegments>,
    pairing: Option<Pairing>,
    first: First,
    /// Waits for the client's word.
    offered: Option<Box<Shared>>,
}

/// Pairs that a connection may join, and the number by which it gets news then.
pub(crate) struct Pairing {
    pub(crate) pairs: Arc<Known>,
    pub(crate) key: u64,
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
    pub(crate) fn new(
        options: Arc<Options>,
        segments: Arc<OpenSegments>,
        pairing: Option<Pairing>,
    ) -> Self {
        Self {
            options,
            segments,
            pairing,
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
                let token = word_of(self.first.bytes);
                self.first = First::default();
                self.offered = self.answer(socket, token)?;
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
    fn answer(&self, socket: BorrowedFd<'_>, token: u64) -> Result<Option<Box<Shared>>, Errno> {
        if let Some((shared, files)) = self.offer(socket, token) {
            let files: Vec<_> = files.iter().map(AsFd::as_fd).collect();
            // Files cannot be sent where too many are on their way to processes that do not take them.
            if send_hello(socket, hello(shared.answer().word()), &files).is_ok() {
                return Ok(Some(Box::new(shared)));
            }
        }
        send_hello(socket, hello(Answer::REFUSED.word()), &[])?;
        Ok(None)
    }

    /// Makes memory for the client, with the files that it gets: the segment, its end of the socket for space, and those of a new pair.
    fn offer(&self, socket: BorrowedFd<'_>, token: u64) -> Option<(Shared, Vec<OwnedFd>)> {
        if !self.options.may_share(socket) {
            return None;
        }
        let open = self.segments.take()?;
        let (ends, file) = segment::create(self.options.ring_bytes, Written::ByServer).ok()?;
        let (ours, theirs) = socket_pair().ok()?;
        let mut files = vec![file, theirs];
        let pairing = self.pairing.as_ref().filter(|_| token != KNOWS_NO_PAIRS);
        let seated = pairing.and_then(|pairing| pairing.pairs.seat(socket, token, pairing.key));
        let seat = seated.map(|(seat, of_pair)| {
            files.extend(of_pair.into_iter().flatten());
            seat
        });
        Some((Shared::of(ends, ours, seat, Some(open)), files))
    }
}
