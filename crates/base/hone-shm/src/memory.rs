//! Memory of a segment or of a pair's page, mapped into this process: all unsafe code of this crate.
//!
//! Other processes may write into this memory at any time. So nothing here gives a reference to its bytes: words are atomic,
//! and bytes are copied.
#![allow(unsafe_code)]

use crate::layout::{HEADER_BYTES, PAGE_BYTES, Written, mapped_bytes};
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, mmap_anonymous, munmap};
use std::io;
use std::os::fd::BorrowedFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// A segment's header, and each of its rings twice in a row, in one piece of address space; or a pair's page.
pub(crate) struct Mapping {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory belongs to the value until it is dropped, from whichever thread.
unsafe impl Send for Mapping {}
// SAFETY: through a shared reference, words are accessed atomically, and bytes are copied as `copy_in` and `copy_out` tell.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps a file that has the size of a segment of this capacity, and keeps it.
    pub(crate) fn of(file: BorrowedFd<'_>, capacity: usize) -> io::Result<Self> {
        let mapping = Self::reserved(mapped_bytes(capacity))?;
        mapping.place(file, 0, HEADER_BYTES, 0)?;
        for ring in [Written::ByClient, Written::ByServer] {
            let from = ring.bytes_in_file(capacity);
            let at = ring.bytes_in_mapping(capacity);
            mapping.place(file, at, capacity, from)?;
            mapping.place(file, at + capacity, capacity, from)?;
        }
        Ok(mapping)
    }

    /// Maps a file that has the size of a pair's page, and keeps it. The page is as long as a segment's header, and has words alone.
    pub(crate) fn of_page(file: BorrowedFd<'_>) -> io::Result<Self> {
        let mapping = Self::reserved(PAGE_BYTES)?;
        mapping.place(file, 0, PAGE_BYTES, 0)?;
        Ok(mapping)
    }

    /// Reserves address space.
    fn reserved(bytes: usize) -> io::Result<Self> {
        let reserved = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: the system chooses addresses that nothing uses.
        let base = unsafe { mmap_anonymous(ptr::null_mut(), bytes, ProtFlags::empty(), reserved) }?;
        let base = NonNull::new(base.cast()).ok_or(Errno::NOMEM)?;
        Ok(Self { base, bytes })
    }

    /// Maps a part of the file to an offset.
    fn place(&self, file: BorrowedFd<'_>, at: usize, bytes: usize, from: usize) -> io::Result<()> {
        let to = self.pointer(at, bytes).cast();
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        // SAFETY: the addresses are within those that were reserved, and nothing uses these before the mapping is returned.
        unsafe { mmap(to, bytes, access, flags, file, from as u64) }?;
        Ok(())
    }

    /// Returns the address of an offset from which so many bytes lie within the mapping.
    fn pointer(&self, at: usize, bytes: usize) -> *mut u8 {
        assert!(at <= self.bytes && bytes <= self.bytes - at);
        // SAFETY: the offset is within the mapping, which is one piece of address space.
        unsafe { self.base.as_ptr().add(at) }
    }

    /// Returns a word of 64 bits.
    pub(crate) fn word64(&self, at: usize) -> &AtomicU64 {
        let word = self.pointer(at, size_of::<u64>()).cast::<u64>();
        assert!(word.is_aligned() && at < HEADER_BYTES);
        // SAFETY: the word is aligned, and mapped as long as the reference lives. Both processes access words of the header only
        // atomically; a process that does not is no part of this program, and changes the value as another store would.
        unsafe { AtomicU64::from_ptr(word) }
    }

    /// Returns a word of 32 bits.
    pub(crate) fn word32(&self, at: usize) -> &AtomicU32 {
        let word = self.pointer(at, size_of::<u32>()).cast::<u32>();
        assert!(word.is_aligned() && at < HEADER_BYTES);
        // SAFETY: as for words of 64 bits.
        unsafe { AtomicU32::from_ptr(word) }
    }

    /// Takes the memory away from all that have mapped the segment: they find zeros in it.
    pub(crate) fn empty(&self) {
        // SAFETY: the addresses are this mapping's. What lies there becomes 0, as another process might write it. Failing would leave
        // the memory to the other side.
        let _ = unsafe { madvise(self.base.as_ptr().cast(), self.bytes, Advice::LinuxRemove) };
    }

    /// Copies bytes to an offset behind the header. One end of one ring does so, which is borrowed mutably meanwhile.
    pub(crate) fn copy_in(&self, at: usize, from: &[u8]) {
        assert!(at >= HEADER_BYTES);
        let to = self.pointer(at, from.len());
        // SAFETY: the target is mapped and writable, and no reference to it exists, so it does not overlap with the source. Only
        // one thread of this process writes these bytes; where another process accesses them at the same time, it sees or leaves any bytes.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) };
    }

    /// Copies bytes from an offset behind the header. The other side may write meanwhile: then each byte is an old or a new one.
    pub(crate) fn copy_out(&self, at: usize, into: &mut [u8]) {
        assert!(at >= HEADER_BYTES);
        let from = self.pointer(at, into.len());
        // SAFETY: the source is mapped and readable, and no reference to it exists, so it does not overlap with the target. No
        // thread of this process writes these bytes; whatever another process leaves there are valid bytes.
        unsafe { ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: all of it was reserved by `reserved`, and references into it have ended with the value. Failing would leave it mapped.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}
