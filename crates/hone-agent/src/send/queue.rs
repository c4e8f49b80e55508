//! What waits to be sent: in memory, or on disk where it survives restarts.
//!
//! With a disk queue every parcel is written to it before it is sent, not only when the back end is away: a crash of
//! the agent then loses nothing that the queue took, at the price of one write to the page cache per parcel. What the disk
//! does not take waits in memory.

mod disk;
mod memory;
mod segment;
mod spared;

pub use disk::{DiskOptions, Fsync, OpenError};
pub use memory::MemoryQueue;
pub use spared::DiskQueue;

use super::Parcel;

/// Points that a full queue, a failing disk or damage cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// The oldest, dropped to make room, or a parcel larger than the queue.
    pub full: u64,
    /// Not written, nor kept in memory.
    pub disk: u64,
    /// Damaged on disk.
    pub damaged: u64,
}

/// Parcels in the order they came. The one that was taken stays the taker's until it is done.
pub enum Queue {
    /// Lost when the process ends.
    Memory(MemoryQueue),
    /// Kept.
    Disk(DiskQueue),
}

impl Queue {
    /// Adds a parcel, and drops the oldest where there is no room.
    pub fn push(&mut self, parcel: Parcel) -> Cost {
        match self {
            Self::Memory(queue) => queue.push(parcel),
            Self::Disk(queue) => queue.push(parcel),
        }
    }

    /// The oldest parcel that was not taken yet; what was found damaged on the way to it is lost.
    pub fn take(&mut self) -> (Option<Parcel>, Cost) {
        match self {
            Self::Memory(queue) => (queue.take(), Cost::default()),
            Self::Disk(queue) => queue.take(),
        }
    }

    /// The taken parcel was delivered, or lost.
    pub fn done(&mut self) {
        match self {
            Self::Memory(queue) => queue.done(),
            Self::Disk(queue) => queue.done(),
        }
    }

    /// Whether all of it will be there at the next start.
    pub fn survives(&self) -> bool {
        match self {
            Self::Memory(_) => false,
            Self::Disk(queue) => queue.survives(),
        }
    }

    /// Ends, with the taken parcel if that was not done. Gives the points that will not be there at the next start.
    pub fn leave(&mut self, taken: Option<Parcel>) -> (u64, Cost) {
        match self {
            Self::Memory(queue) => (queue.leave(), Cost::default()),
            Self::Disk(queue) => queue.leave(taken),
        }
    }

    /// Why what comes is in memory and not on disk, and what to do about it.
    pub fn trouble(&self) -> Option<&str> {
        match self {
            Self::Memory(_) => None,
            Self::Disk(queue) => queue.trouble(),
        }
    }

    /// Points that could not be written to the disk when they came.
    pub fn unwritten(&self) -> u64 {
        match self {
            Self::Memory(_) => 0,
            Self::Disk(queue) => queue.unwritten(),
        }
    }

    /// Points and bytes in it, the taken parcel included.
    pub fn size(&self) -> (u64, u64) {
        match self {
            Self::Memory(queue) => queue.size(),
            Self::Disk(queue) => queue.size(),
        }
    }
}
