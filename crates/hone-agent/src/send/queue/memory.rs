//! The queue of an endpoint without a disk queue.

use super::Cost;
use crate::send::Parcel;
use std::collections::VecDeque;

/// Parcels up to a number of bytes.
pub struct MemoryQueue {
    parcels: VecDeque<Parcel>,
    /// Points and bytes of the taken one.
    taken: Option<(u64, u64)>,
    bytes: u64,
    bytes_max: u64,
}

impl MemoryQueue {
    /// Bounded by the bytes of the bodies.
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
            // The taken one cannot be dropped, it is under way: the new one goes if it is alone in the way.
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

    /// Whether any waits that is not taken.
    pub(super) fn has_waiting(&self) -> bool {
        !self.parcels.is_empty()
    }

    /// The oldest that waits, which is not here any more.
    pub(super) fn pop(&mut self) -> Option<Parcel> {
        let parcel = self.parcels.pop_front()?;
        self.bytes -= parcel.body.len() as u64;
        Some(parcel)
    }

    /// Again the oldest.
    pub(super) fn put_back(&mut self, parcel: Parcel) {
        self.bytes += parcel.body.len() as u64;
        self.parcels.push_front(parcel);
    }

    /// Empties it, and gives the points that waited or were taken.
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
