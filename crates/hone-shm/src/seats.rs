//! How many connections of a server have memory, those included that have ended on this side alone: their clients may still
//! read, and could keep the memory otherwise, uncounted, and at the cost of this process.

use crate::memory::Mapping;
use crate::socket::has_other_ended;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Seats of a server: one for each connection that has memory.
pub(crate) struct Seats {
    most: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    count: usize,
    ended: Vec<Memory>,
}

/// Memory of a connection.
struct Memory {
    mapping: Arc<Mapping>,
    space: Arc<OwnedFd>,
}

impl Seats {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let taken = Mutex::default();
        Arc::new(Self { most, taken })
    }

    /// Returns the number of seats that are taken.
    pub(crate) fn count(&self) -> usize {
        self.taken().count
    }

    /// Takes a seat, if one is free.
    pub(crate) fn take(self: &Arc<Self>) -> Option<Seat> {
        let mut taken = self.taken();
        if taken.count >= self.most {
            return None;
        }
        taken.count += 1;
        // So that nothing allocates when a connection ends.
        let more = taken.count - taken.ended.len();
        taken.ended.reserve(more);
        let seats = Arc::clone(self);
        Some(Seat {
            seats,
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

/// Seat of one connection, which ends on this side when it is dropped. It is free once the other side has ended too.
pub(crate) struct Seat {
    seats: Arc<Seats>,
    memory: Option<Memory>,
}

impl Seat {
    /// Keeps the memory of the connection for as long as the seat is taken.
    pub(crate) fn keep(&mut self, mapping: Arc<Mapping>, space: Arc<OwnedFd>) {
        self.memory = Some(Memory { mapping, space });
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        match self.memory.take() {
            Some(memory) => taken.ended.push(memory),
            None => taken.count -= 1,
        }
        drop(taken);
        // The other side may have ended before.
        drop(self.seats.taken());
    }
}
