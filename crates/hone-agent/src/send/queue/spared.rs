//! The queue on disk, with memory for what the disk does not take.
//!
//! A disk that is full or broken is no reason to lose what a back end would take. What cannot be written waits in memory, behind all
//! that is on disk; with each parcel that comes it is tried again, the oldest first, so that the order stays and the disk is used again as soon
//! as it can be.

use super::disk::SegmentQueue;
use super::{Cost, DiskOptions, MemoryQueue, OpenError};
use crate::send::Parcel;
use std::io::{self, ErrorKind};

/// What may wait in memory, if the queue's own bound is not less.
const MEMORY_BYTES_MAX: u64 = 64 << 20;

/// The queue. What it held when it was opened is taken first.
pub struct DiskQueue {
    disk: SegmentQueue,
    memory: MemoryQueue,
    /// Whether the taken parcel is one of those in memory.
    has_taken_from_memory: bool,
    trouble: Option<String>,
    unwritten: u64,
}

impl DiskQueue {
    /// Opens or makes it, and looks through what it holds.
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

    /// How many segments ended in something that was no whole record: each is a write that a crash cut short.
    pub fn torn_records(&self) -> u64 {
        self.disk.torn_records()
    }

    /// Why what comes is not on disk now, and what to do.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Points that could not be written when they came.
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

    /// What waits in memory, as far as the disk takes it.
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
        // Were it not for the disk, there would be room.
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

    /// Ends, perhaps with a taken parcel that is not done. Gives the points that are lost, since they are in memory still.
    pub(super) fn leave(&mut self, taken: Option<Parcel>) -> (u64, Cost) {
        let mut full = 0;
        if let Some(taken) = taken {
            if self.has_taken_from_memory {
                self.done();
                self.memory.put_back(taken);
            } else if !self.disk.keeps_taken() {
                // The queue was so full meanwhile that it had to go.
                self.disk.done();
                full = taken.points;
            }
        }
        let mut cost = self.write_back();
        cost.full += full;
        (self.memory.leave(), cost)
    }
}

/// What to do about a disk that does not take what is written.
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
