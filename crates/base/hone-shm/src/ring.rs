//! One direction of a segment: bytes from one writer to one reader, which are different processes.
//!
//! Each process uses one end only, and keeps its own position privately: nothing of what the other side writes is used before
//! it was loaded once and checked. All loads and stores are sequentially consistent: what each side stores before it looks at the
//! other's word must be seen by a side that does the same the other way round.

use crate::layout::{HEAD_AT, READER_WAITS_AT, TAIL_AT, WRITER_WAITS_AT, Written};
use crate::memory::Mapping;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};

/// The other side has written what cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Broken;

/// What lies in the segment for a ring.
struct Ring {
    mapping: Arc<Mapping>,
    control_at: usize,
    bytes_at: usize,
    capacity: usize,
}

impl Ring {
    fn of(mapping: Arc<Mapping>, written: Written, capacity: usize) -> Self {
        Self {
            mapping,
            control_at: written.control_at(),
            bytes_at: written.bytes_in_mapping(capacity),
            capacity,
        }
    }

    fn head(&self) -> &AtomicU64 {
        self.mapping.word64(self.control_at + HEAD_AT)
    }

    fn tail(&self) -> &AtomicU64 {
        self.mapping.word64(self.control_at + TAIL_AT)
    }

    fn reader_waits(&self) -> &AtomicU32 {
        self.mapping.word32(self.control_at + READER_WAITS_AT)
    }

    fn writer_waits(&self) -> &AtomicU32 {
        self.mapping.word32(self.control_at + WRITER_WAITS_AT)
    }

    /// Offset of a position in the mapping. As many bytes as the ring holds lie there in one piece.
    fn offset(&self, position: u64) -> usize {
        self.bytes_at + (position % self.capacity as u64) as usize
    }

    /// Returns the number of unread bytes, if there can be so many.
    fn unread(&self, head: u64, tail: u64) -> Result<usize, Broken> {
        let unread = usize::try_from(head.wrapping_sub(tail)).map_err(|_| Broken)?;
        (unread <= self.capacity).then_some(unread).ok_or(Broken)
    }
}

/// The writer's end.
pub(crate) struct RingWriter {
    ring: Ring,
    head: u64,
}

impl RingWriter {
    pub(crate) fn of(mapping: Arc<Mapping>, written: Written, capacity: usize) -> Self {
        let ring = Ring::of(mapping, written, capacity);
        Self { ring, head: 0 }
    }

    pub(crate) fn capacity(&self) -> usize {
        self.ring.capacity
    }

    pub(crate) fn mapping(&self) -> Arc<Mapping> {
        Arc::clone(&self.ring.mapping)
    }

    /// Returns how many bytes there is room for.
    pub(crate) fn room(&self) -> Result<usize, Broken> {
        let unread = self.ring.unread(self.head, self.ring.tail().load(SeqCst))?;
        Ok(self.ring.capacity - unread)
    }

    /// Copies bytes so far into the room; they must fit into it.
    pub(crate) fn put(&mut self, at: usize, from: &[u8]) {
        self.ring
            .mapping
            .copy_in(self.ring.offset(self.head) + at, from);
    }

    /// Hands so many bytes over. Returns true if the reader sleeps and must be woken.
    pub(crate) fn wrote(&mut self, bytes: usize) -> bool {
        self.head = self.head.wrapping_add(bytes as u64);
        self.ring.head().store(self.head, SeqCst);
        let waits = self.ring.reader_waits();
        waits.load(SeqCst) != 0 && waits.swap(0, SeqCst) != 0
    }

    /// Tells the reader that this side is about to sleep. It must look for room once more before it does.
    pub(crate) fn announce(&self) {
        self.ring.writer_waits().store(1, SeqCst);
    }
}

/// The reader's end.
pub(crate) struct RingReader {
    ring: Ring,
    tail: u64,
}

impl RingReader {
    pub(crate) fn of(mapping: Arc<Mapping>, written: Written, capacity: usize) -> Self {
        let ring = Ring::of(mapping, written, capacity);
        Self { ring, tail: 0 }
    }

    /// Returns how many bytes are unread.
    pub(crate) fn unread(&self) -> Result<usize, Broken> {
        self.ring.unread(self.ring.head().load(SeqCst), self.tail)
    }

    /// Copies unread bytes from so far on; there must be so many.
    pub(crate) fn copy(&self, at: usize, into: &mut [u8]) {
        self.ring
            .mapping
            .copy_out(self.ring.offset(self.tail) + at, into);
    }

    /// Gives so many bytes back. Returns true if the writer sleeps and must be woken: once a quarter of the ring is free, not
    /// for each byte.
    pub(crate) fn read(&mut self, bytes: usize) -> bool {
        self.tail = self.tail.wrapping_add(bytes as u64);
        self.ring.tail().store(self.tail, SeqCst);
        let waits = self.ring.writer_waits();
        if waits.load(SeqCst) == 0 {
            return false;
        }
        let most = self.ring.capacity - self.ring.capacity / 4;
        self.unread().is_ok_and(|unread| unread <= most) && waits.swap(0, SeqCst) != 0
    }

    /// Tells the writer that this side is about to sleep. It must look for bytes once more before it does.
    pub(crate) fn announce(&self) {
        self.ring.reader_waits().store(1, SeqCst);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ring.head().load(SeqCst) == self.tail
    }
}
