//! The parcels of one worker: some are free, some wait for the worker, some are in use by a receiver or the worker. Their
//! number never changes, so the queue of waiting parcels needs no limit of its own and no further memory.
//!
//! One lock protects the parcels. It is held for a few instructions per parcel, and a parcel holds many packets. The other
//! side is woken only if it waits, since waking costs a system call.

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

/// Next step of a worker.
#[derive(Debug)]
pub(super) enum Next {
    /// Handle this parcel, and give it back.
    Parcel(Parcel),
    /// Nothing to do: no parcel came within the waiting time.
    Nothing,
    /// End: no parcel is left, and none will come.
    Closed,
}

impl Queue {
    /// A queue with the given number of parcels, each with room for `parcel_bytes` bytes.
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

    /// Takes the lock. A thread that panicked while it held the lock has left no change half done.
    fn lock(&self) -> MutexGuard<'_, Parcels> {
        self.parcels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a free parcel. Waits at most `wait` for one to become free.
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

    /// Takes the next parcel. The worker waits at most `wait` for one to come.
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

    /// Lets the worker end as soon as it has handled all waiting parcels.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.filled.notify_all();
    }
}
