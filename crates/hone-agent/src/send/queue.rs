//! What waits to be sent: in memory, or on disk where it survives restarts.
//!
//! With a disk queue every parcel is written to it before it is sent, not only when the back end is away: a crash of
//! the agent then loses nothing that the queue took, at the price of one write to the page cache per parcel.

mod disk;
mod memory;
mod segment;

pub use disk::{DiskOptions, DiskQueue, Fsync, OpenError};
pub use memory::MemoryQueue;

use super::Parcel;

/// Points that a full queue, a failing disk or damage cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// The oldest, dropped to make room, or a parcel larger than the queue.
    pub full: u64,
    /// Not written.
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
            Self::Disk(queue) => queue.push(&parcel),
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

    /// Whether the taken parcel will be there at the next start.
    pub fn keeps_taken(&self) -> bool {
        match self {
            Self::Memory(_) => false,
            Self::Disk(queue) => queue.keeps_taken(),
        }
    }

    /// Whether what is left will be there at the next start.
    pub fn survives(&self) -> bool {
        matches!(self, Self::Disk(_))
    }

    /// Points and bytes in it, the taken parcel included.
    pub fn size(&self) -> (u64, u64) {
        match self {
            Self::Memory(queue) => queue.size(),
            Self::Disk(queue) => queue.size(),
        }
    }
}
