//! How many connections of a server have memory, those included that have ended on this side alone: their clients may still
//! read, and could keep the memory otherwise, uncounted, and at the cost of this process.

use crate::memory::Mapping;
use crate::pair::Seat;
use crate::socket::has_other_ended;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Segments of a server that are open: one for each connection that has memory.
pub(crate) struct OpenSegments {
    most: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    count: usize,
    ended: Vec<Memory>,
}

/// What a connection has for as long as the other side may use its memory.
pub(crate) struct Memory {
    pub(crate) mapping: Arc<Mapping>,
    #[expect(
        dead_code,
        reason = "it is free once the other side has let go of the memory"
    )]
    pub(crate) seat: Option<Arc<Seat>>,
    pub(crate) space: Arc<OwnedFd>,
}

impl OpenSegments {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let taken = Mutex::default();
        Arc::new(Self { most, taken })
    }

    /// Returns the number of segments that are open.
    pub(crate) fn count(&self) -> usize {
        self.taken().count
    }

    /// Counts one more segment, if there may be one.
    pub(crate) fn take(self: &Arc<Self>) -> Option<OpenSegment> {
        let mut taken = self.taken();
        if taken.count >= self.most {
            return None;
        }
        taken.count += 1;
        // So that nothing allocates when a connection ends.
        let more = taken.count - taken.ended.len();
        taken.ended.reserve(more);
        let segments = Arc::clone(self);
        Some(OpenSegment {
            segments,
            memory: None,
        })
    }

    /// Gives memory back that the other side has let go of, and returns what is still taken.
    fn taken(&self) -> MutexGuard<'_, Taken> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let Taken { count, ended } = &mut *taken;
        ended.retain(|memory| {
            let is_over = has_other_ended(memory.space.as_fd());
            if is_over {
                memory.mapping.empty();
                *count -= 1;
            }
            !is_over
        });
        taken
    }
}

/// Segment of one connection, which ends on this side when it is dropped. It counts until the other side has ended too.
pub(crate) struct OpenSegment {
    segments: Arc<OpenSegments>,
    memory: Option<Memory>,
}

impl OpenSegment {
    /// Keeps what the connection has for as long as its segment counts.
    pub(crate) fn keep(&mut self, memory: Memory) {
        self.memory = Some(memory);
    }
}

impl Drop for OpenSegment {
    fn drop(&mut self) {
        let mut taken = self.segments.taken();
        match self.memory.take() {
            Some(memory) => taken.ended.push(memory),
            None => taken.count -= 1,
        }
        drop(taken);
        // The other side may have ended before.
        drop(self.segments.taken());
    }
}
