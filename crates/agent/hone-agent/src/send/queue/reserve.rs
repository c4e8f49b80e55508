//! The queue on disk, with memory for parcels that the disk does not take.
//!
//! A disk that is full or broken is no reason to lose parcels that a back end would take. Parcels that cannot be
//! written wait in memory, behind all parcels on disk. With each new parcel the waiting ones are tried again, the
//! oldest first, so that the order is kept and the disk is used again as soon as possible.

use super::disk::SegmentQueue;
use super::{Cost, DiskOptions, MemoryQueue, OpenError};
use crate::send::Parcel;
use std::io::{self, ErrorKind};

/// Limit on bytes that wait in memory, if the queue's own limit is not less.
const MEMORY_BYTES_MAX: u64 = 64 << 20;

/// Queue on disk. Parcels from before the opening are taken first.
pub struct DiskQueue {
    disk: SegmentQueue,
    memory: MemoryQueue,
    /// True if the taken parcel is in memory.
    has_taken_from_memory: bool,
    trouble: Option<String>,
    unwritten: u64,
}

impl DiskQueue {
    /// Opens or creates the queue, and reads through its files.
    ///
    /// # Errors
    /// If the directory cannot be used, or another process uses it.
    pub fn open(options: DiskOptions) -> Result<Self, OpenError> {
        let memory = MemoryQueue::new(options.bytes_max.min(MEMORY_BYTES_MAX));
        Ok(Self {
            disk: SegmentQueue::open(options)?,
            memory,
            has_taken_from_memory: false,
            trouble: None,
            unwritten: 0,
        })
    }

    /// Returns the number of segments that ended in an incomplete record: each is a write that a crash cut short.
    pub fn torn_records(&self) -> u64 {
        self.disk.torn_records()
    }

    /// Returns the reason why new parcels are not on disk now, and advice.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Returns the points that could not be written when they came.
    pub(super) fn unwritten(&self) -> u64 {
        self.unwritten
    }

    pub(super) fn push(&mut self, parcel: Parcel) -> Cost {
        let mut cost = self.write_back();
        if !self.memory.has_waiting() {
            match self.write(&parcel, &mut cost) {
                true => self.trouble = None,
                false => self.keep(parcel, &mut cost),
            }
        } else {
            self.keep(parcel, &mut cost);
        }
        cost
    }

    /// Writes the parcels in memory to the disk, as far as the disk takes them.
    fn write_back(&mut self) -> Cost {
        let mut cost = Cost::default();
        while let Some(parcel) = self.memory.pop() {
            if !self.write(&parcel, &mut cost) {
                self.memory.put_back(parcel);
                break;
            }
        }
        cost
    }

    fn write(&mut self, parcel: &Parcel, cost: &mut Cost) -> bool {
        let (made_room, written) = self.disk.push(parcel);
        cost.full += made_room.full;
        if let Err(error) = &written {
            self.trouble = Some(format!(
                "the queue in {} cannot be written: {error}; {}; what comes meanwhile waits in memory",
                self.disk.directory().display(),
                advice(error)
            ));
        }
        written.is_ok()
    }

    fn keep(&mut self, parcel: Parcel, cost: &mut Cost) {
        self.unwritten += parcel.points;
        // The loss is counted as the disk's: with a working disk there would be room.
        cost.disk += self.memory.push(parcel).full;
    }

    pub(super) fn take(&mut self) -> (Option<Parcel>, Cost) {
        let (parcel, cost) = self.disk.take();
        if parcel.is_some() {
            return (parcel, cost);
        }
        let parcel = self.memory.take();
        self.has_taken_from_memory = parcel.is_some();
        (parcel, cost)
    }

    pub(super) fn done(&mut self) {
        match std::mem::take(&mut self.has_taken_from_memory) {
            true => self.memory.done(),
            false => self.disk.done(),
        }
    }

    pub(super) fn survives(&self) -> bool {
        !self.has_taken_from_memory && !self.memory.has_waiting()
    }

    pub(super) fn size(&self) -> (u64, u64) {
        let (on_disk, in_memory) = (self.disk.size(), self.memory.size());
        (on_disk.0 + in_memory.0, on_disk.1 + in_memory.1)
    }

    /// Ends the queue, given the taken parcel if that is not done. Returns the points that are lost since they are
    /// still in memory.
    pub(super) fn leave(&mut self, taken: Option<Parcel>) -> (u64, Cost) {
        let mut full = 0;
        if let Some(taken) = taken {
            if self.has_taken_from_memory {
                self.done();
                self.memory.put_back(taken);
            } else if !self.disk.keeps_taken() {
                // The queue became full meanwhile and dropped the parcel's segment.
                self.disk.done();
                full = taken.points;
            }
        }
        let mut cost = self.write_back();
        cost.full += full;
        (self.memory.leave(), cost)
    }
}

/// Returns advice about an error of the disk.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull => "make room on that disk, or move the queue (`queue_directory`)",
        ErrorKind::QuotaExceeded => "raise the agent's quota there, or lower `queue_bytes`",
        ErrorKind::ReadOnlyFilesystem => "mount it so that it can be written",
        ErrorKind::PermissionDenied => "let the agent's user write there",
        _ => "look at that disk, or move the queue (`queue_directory`)",
    }
}

#[cfg(test)]
mod tests;
