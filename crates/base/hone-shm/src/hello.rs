//! How a connection begins: the client sends the magic and the token of the pair that it has with the server; the server answers with the
//! magic, the bytes of a ring and the connection's seat in the pair, and sends a segment and an end of a socket along, and with a new pair
//! its page and an end of the bell; or with 0 for a connection without memory; the client says whether it has mapped the segment.

use crate::layout::MAGIC;
use rustix::io::{Errno, IoSlice, IoSliceMut, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const HELLO_BYTES: usize = 16;
pub(crate) const MAPPED: u8 = 1;
pub(crate) const UNMAPPED: u8 = 0;
/// What a client names in place of a token: it knows no pairs, or has none yet with the server.
pub(crate) const KNOWS_NO_PAIRS: u64 = 0;
pub(crate) const HAS_NO_PAIR: u64 = 1;
/// Files of a segment that a server sends, and those of a new pair.
pub(crate) const FILES: usize = 2;
pub(crate) const FILES_OF_PAIR: usize = 2;
/// Files that there is room for, more than a server sends.
const FILES_MAX: usize = 8;

/// Options of one side.
#[derive(Clone)]
pub struct Options {
    /// How much may be on its way in each direction: a power of two from 64 KiB to 64 MiB. The server decides; a connection
    /// takes twice that in memory.
    pub ring_bytes: usize,
    /// How long a client waits for a server's answer, before it connects anew and does not ask: a server that does not know
    /// shared memory may wait for more.
    pub patience: Duration,
    /// Whether the other side's user may share memory; by default that of this process, and root.
    pub allow: Arc<dyn Fn(u32) -> bool + Send + Sync>,
}

impl Default for Options {
    fn default() -> Self {
        let own = rustix::process::geteuid().as_raw();
        Self {
            ring_bytes: 256 << 10,
            patience: Duration::from_secs(1),
            allow: Arc::new(move |user| user == 0 || user == own),
        }
    }
}

impl Options {
    /// Whether the process at the other end of a socket may share memory.
    pub(crate) fn may_share(&self, socket: BorrowedFd<'_>) -> bool {
        rustix::net::sockopt::socket_peercred(socket)
            .is_ok_and(|peer| (self.allow)(peer.uid.as_raw()))
    }
}

/// What a server answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// Bytes of a ring, 0 for a connection without memory.
    pub(crate) ring_bytes: u64,
    /// Number of the connection's seat in a pair, from 0 on.
    pub(crate) seat: Option<usize>,
}

impl Answer {
    pub(crate) const REFUSED: Self = Self {
        ring_bytes: 0,
        seat: None,
    };

    /// The word of a hello: bytes of a ring in its lower half, and in the upper one the seat, counted from 1.
    pub(crate) fn word(self) -> u64 {
        self.ring_bytes | self.seat.map_or(0, |seat| (seat as u64 + 1) << 32)
    }

    pub(crate) fn of_word(word: u64) -> Self {
        Self {
            ring_bytes: word & u64::from(u32::MAX),
            seat: ((word >> 32) as usize).checked_sub(1),
        }
    }
}

pub(crate) fn hello(word: u64) -> [u8; HELLO_BYTES] {
    let mut text = [0; HELLO_BYTES];
    text[..MAGIC.len()].copy_from_slice(&MAGIC);
    text[MAGIC.len()..].copy_from_slice(&word.to_le_bytes());
    text
}

pub(crate) fn word_of(text: [u8; HELLO_BYTES]) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&text[MAGIC.len()..]);
    u64::from_le_bytes(number)
}

/// Whether bytes may be the first ones of a hello.
pub(crate) fn is_hello_so_far(first: &[u8]) -> bool {
    let count = first.len().min(MAGIC.len());
    first[..count] == MAGIC[..count]
}

/// Sends an answer, with the files of an offer.
pub(crate) fn send_hello(
    socket: BorrowedFd<'_>,
    text: [u8; HELLO_BYTES],
    files: &[BorrowedFd<'_>],
) -> Result<(), Errno> {
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES + FILES_OF_PAIR))];
    let mut control = SendAncillaryBuffer::new(&mut room);
    if !files.is_empty() && !control.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(Errno::NOBUFS);
    }
    let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
    let sent = retry_on_intr(|| sendmsg(socket, &[IoSlice::new(&text)], &mut control, flags))?;
    // A new socket takes all of it.
    (sent == text.len()).then_some(()).ok_or(Errno::PIPE)
}

/// Receives a part of an answer, and the files that come with it.
pub(crate) fn receive_hello(
    socket: BorrowedFd<'_>,
    into: &mut [u8],
    files: &mut Vec<OwnedFd>,
) -> Result<usize, Errno> {
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES_MAX))];
    let mut control = RecvAncillaryBuffer::new(&mut room);
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let got = retry_on_intr(|| recvmsg(socket, &mut [IoSliceMut::new(into)], &mut control, flags))?;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(some) = message {
            files.extend(some);
        }
    }
    Ok(got.bytes)
}
