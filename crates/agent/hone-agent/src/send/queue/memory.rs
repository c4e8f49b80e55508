//! The queue of an endpoint without a disk queue.

use super::Cost;
use crate::send::Parcel;
use std::collections::VecDeque;

/// Queue of parcels, bounded in bytes.
pub struct MemoryQueue {
    parcels: VecDeque<Parcel>,
    /// Points and bytes of the taken parcel.
    taken: Option<(u64, u64)>,
    bytes: u64,
    bytes_max: u64,
}

impl MemoryQueue {
    /// Returns an empty queue with a limit on the bytes of the bodies.
    pub fn new(bytes_max: u64) -> Self {
        Self {
            parcels: VecDeque::new(),
            taken: None,
            bytes: 0,
            bytes_max,
        }
    }

    pub(super) fn push(&mut self, parcel: Parcel) -> Cost {
        let size = parcel.body.len() as u64;
        let mut cost = Cost::default();
        if size > self.bytes_max {
            cost.full = parcel.points;
            return cost;
        }
        while self.bytes + size > self.bytes_max {
            // The taken parcel is under way and cannot be dropped. If it alone takes the room, the new parcel is lost.
            let Some(oldest) = self.parcels.pop_front() else {
                cost.full += parcel.points;
                return cost;
            };
            self.bytes -= oldest.body.len() as u64;
            cost.full += oldest.points;
        }
        self.bytes += size;
        self.parcels.push_back(parcel);
        cost
    }

    pub(super) fn take(&mut self) -> Option<Parcel> {
        debug_assert!(self.taken.is_none());
        let parcel = self.parcels.pop_front()?;
        self.taken = Some((parcel.points, parcel.body.len() as u64));
        Some(parcel)
    }

    /// Returns true if a parcel waits that is not taken.
    pub(super) fn has_waiting(&self) -> bool {
        !self.parcels.is_empty()
    }

    /// Removes the oldest waiting parcel and returns it.
    pub(super) fn pop(&mut self) -> Option<Parcel> {
        let parcel = self.parcels.pop_front()?;
        self.bytes -= parcel.body.len() as u64;
        Some(parcel)
    }

    /// Puts a parcel back as the oldest.
    pub(super) fn put_back(&mut self, parcel: Parcel) {
        self.bytes += parcel.body.len() as u64;
        self.parcels.push_front(parcel);
    }

    /// Empties the queue, and returns the points that waited or were taken.
    pub(super) fn leave(&mut self) -> u64 {
        let (points, _) = self.size();
        self.taken = None;
        self.parcels.clear();
        self.bytes = 0;
        points
    }

    pub(super) fn done(&mut self) {
        if let Some((_, bytes)) = self.taken.take() {
            self.bytes -= bytes;
        }
    }

    pub(super) fn size(&self) -> (u64, u64) {
        let waiting: u64 = self.parcels.iter().map(|parcel| parcel.points).sum();
        (
            waiting + self.taken.map_or(0, |(points, _)| points),
            self.bytes,
        )
    }
}
