use rustix::event::{EventfdFlags, eventfd};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU8, Ordering};

/// Ways for receivers to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// After everything that was accepted has been received.
    Drained,
    /// At once: the sockets stay open and keep their data for the next receivers.
    Paused,
}

/// Request that all receivers end, with an event that wakes receivers waiting for a socket.
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
        // The event is never read, so it stays readable. If the write fails, receivers notice the request after a tick.
        let _ = rustix::io::write(&self.wakes, &1_u64.to_ne_bytes());
    }

    pub(super) fn asked(&self) -> Option<End> {
        match self.asked.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(End::Drained),
            _ => Some(End::Paused),
        }
    }

    /// Returns a descriptor that is readable as soon as an end was requested.
    pub(super) fn wakes(&self) -> BorrowedFd<'_> {
        self.wakes.as_fd()
    }
}
