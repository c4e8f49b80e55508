//! Queues of parcels that wait to be sent: in memory, or on disk where parcels survive restarts.
//!
//! With a disk queue every parcel is written to disk before it is sent, not only when the back end is away: a crash of
//! the agent then loses nothing that the queue took, at the price of one write to the page cache per parcel. Parcels
//! that the disk does not take wait in memory.

mod disk;
mod memory;
mod reserve;
mod segment;

pub use disk::{DiskOptions, Fsync, OpenError};
pub use memory::MemoryQueue;
pub use reserve::DiskQueue;

use super::Parcel;

/// Points lost to a full queue, a failing disk or damage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Points of the oldest parcels, dropped to make room, or of a parcel larger than the queue.
    pub full: u64,
    /// Points neither written to disk nor kept in memory.
    pub disk: u64,
    /// Points damaged on disk.
    pub damaged: u64,
}

/// Queue of parcels in the order of their arrival. A taken parcel belongs to the taker until [`Queue::done`] is called.
pub enum Queue {
    /// Queue that is lost when the process ends.
    Memory(MemoryQueue),
    /// Queue that survives the end of the process.
    Disk(DiskQueue),
}

impl Queue {
    /// Adds a parcel, and drops the oldest parcels if there is no room.
    pub fn push(&mut self, parcel: Parcel) -> Cost {
        match self {
            Self::Memory(queue) => queue.push(parcel),
            Self::Disk(queue) => queue.push(parcel),
        }
    }

    /// Takes the oldest parcel that was not taken yet. Damaged parcels before it are lost.
    pub fn take(&mut self) -> (Option<Parcel>, Cost) {
        match self {
            Self::Memory(queue) => (queue.take(), Cost::default()),
            Self::Disk(queue) => queue.take(),
        }
    }

    /// Removes the taken parcel, which was delivered or lost.
    pub fn done(&mut self) {
        match self {
            Self::Memory(queue) => queue.done(),
            Self::Disk(queue) => queue.done(),
        }
    }

    /// Returns true if all parcels of the queue will be there at the next start.
    pub fn survives(&self) -> bool {
        match self {
            Self::Memory(_) => false,
            Self::Disk(queue) => queue.survives(),
        }
    }

    /// Ends the queue, given the taken parcel if that is not done. Returns the points that will not be there at the
    /// next start.
    pub fn leave(&mut self, taken: Option<Parcel>) -> (u64, Cost) {
        match self {
            Self::Memory(queue) => (queue.leave(), Cost::default()),
            Self::Disk(queue) => queue.leave(taken),
        }
    }

    /// Returns the reason why new parcels are in memory and not on disk, and advice.
    pub fn trouble(&self) -> Option<&str> {
        match self {
            Self::Memory(_) => None,
            Self::Disk(queue) => queue.trouble(),
        }
    }

    /// Returns the points that could not be written to the disk when they came.
    pub fn unwritten(&self) -> u64 {
        match self {
            Self::Memory(_) => 0,
            Self::Disk(queue) => queue.unwritten(),
        }
    }

    /// Returns the points and bytes in the queue, including the taken parcel.
    pub fn size(&self) -> (u64, u64) {
        match self {
            Self::Memory(queue) => queue.size(),
            Self::Disk(queue) => queue.size(),
        }
    }
}
