use rustix::event::{EventfdFlags, eventfd};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU8, Ordering};

/// How receivers are to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// What has been accepted is still to be received.
    Drained,
    /// At once: the sockets stay open, and what is in them is for those who come after.
    Paused,
}

/// The wish that all receivers end, and what wakes those who wait for a socket.
#[derive(Debug)]
pub(super) struct Stop {
    asked: AtomicU8,
    wakes: OwnedFd,
}

impl Stop {
    pub(super) fn new() -> rustix::io::Result<Self> {
        Ok(Self {
            asked: AtomicU8::new(0),
            wakes: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
        })
    }

    pub(super) fn ask(&self, end: End) {
        let asked = match end {
            End::Drained => 1,
            End::Paused => 2,
        };
        self.asked.store(asked, Ordering::SeqCst);
        // It never is read, so it stays readable. Where it could not be written, receivers look after a tick.
        let _ = rustix::io::write(&self.wakes, &1_u64.to_ne_bytes());
    }

    pub(super) fn asked(&self) -> Option<End> {
        match self.asked.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(End::Drained),
            _ => Some(End::Paused),
        }
    }

    /// Readable as soon as an end was asked for.
    pub(super) fn wakes(&self) -> BorrowedFd<'_> {
        self.wakes.as_fd()
    }
}
