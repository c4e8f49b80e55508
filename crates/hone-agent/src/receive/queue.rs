//! The parcels of one worker: some are free, some wait for the worker, some are in somebody's hands. Their number never
//! changes, so that the queue of those that wait needs no bound of its own and no memory.
//!
//! One lock, held for a few instructions once a parcel, of which each holds many packets. The other side is woken only
//! if it waits: to wake costs a system call.

use super::parcel::Parcel;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(super) struct Queue {
    parcels: Mutex<Parcels>,
    filled: Condvar,
    freed: Condvar,
}

#[derive(Debug)]
struct Parcels {
    full: VecDeque<Parcel>,
    free: Vec<Parcel>,
    is_closed: bool,
    worker_waits: bool,
    receivers_wait: usize,
}

/// What a worker is to do.
#[derive(Debug)]
pub(super) enum Next {
    /// Handle this, and give it back.
    Parcel(Parcel),
    /// Nothing came for as long as it waited.
    Nothing,
    /// End: nothing is left, and nothing will come.
    Closed,
}

impl Queue {
    /// So many parcels, each with room for so many bytes.
    pub(super) fn new(parcels: usize, parcel_bytes: usize) -> Self {
        Self {
            parcels: Mutex::new(Parcels {
                full: VecDeque::with_capacity(parcels),
                free: (0..parcels).map(|_| Parcel::new(parcel_bytes)).collect(),
                is_closed: false,
                worker_waits: false,
                receivers_wait: 0,
            }),
            filled: Condvar::new(),
            freed: Condvar::new(),
        }
    }

    /// A thread that panicked with the lock held has left nothing half done.
    fn lock(&self) -> MutexGuard<'_, Parcels> {
        self.parcels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a free parcel, for which it waits at most so long.
    pub(super) fn take_free(&self, wait: Duration) -> Option<Parcel> {
        let mut parcels = self.lock();
        if let Some(parcel) = parcels.free.pop() {
            return Some(parcel);
        }
        let until = Instant::now() + wait;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            parcels.receivers_wait += 1;
            parcels = match self.freed.wait_timeout(parcels, left) {
                Ok((parcels, _)) => parcels,
                Err(poisoned) => poisoned.into_inner().0,
            };
            parcels.receivers_wait -= 1;
            if let Some(parcel) = parcels.free.pop() {
                return Some(parcel);
            }
        }
    }

    /// Hands a parcel to the worker.
    pub(super) fn hand_over(&self, parcel: Parcel) {
        let mut parcels = self.lock();
        parcels.full.push_back(parcel);
        let wake = std::mem::take(&mut parcels.worker_waits);
        drop(parcels);
        if wake {
            self.filled.notify_one();
        }
    }

    /// Takes the next parcel, for which the worker waits at most so long.
    pub(super) fn next(&self, wait: Duration) -> Next {
        let mut parcels = self.lock();
        let until = Instant::now() + wait;
        loop {
            if let Some(parcel) = parcels.full.pop_front() {
                return Next::Parcel(parcel);
            }
            if parcels.is_closed {
                return Next::Closed;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Nothing;
            }
            parcels.worker_waits = true;
            parcels = match self.filled.wait_timeout(parcels, left) {
                Ok((parcels, _)) => parcels,
                Err(poisoned) => poisoned.into_inner().0,
            };
            parcels.worker_waits = false;
        }
    }

    /// Makes a parcel free.
    pub(super) fn give_back(&self, parcel: Parcel) {
        let mut parcels = self.lock();
        parcels.free.push(parcel);
        let wake = parcels.receivers_wait > 0;
        drop(parcels);
        if wake {
            self.freed.notify_one();
        }
    }

    /// Lets the worker end as soon as it has handled all that waits.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.filled.notify_all();
    }
}
