//! The ring buffer that the kernel writes records into.
//!
//! The kernel moves `data_head`, we move `data_tail`; both only grow, and their distance is the number of bytes
//! to read. The positions are taken modulo the buffer's length, a power of two, so a record may wrap.

use super::checked;
use perf_event_open_sys::bindings::perf_event_mmap_page;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

const PAGE_BYTES: usize = 4096;
const HEADER_BYTES: usize = 8;

/// One mapped ring.
pub(crate) struct Ring {
    base: NonNull<u8>,
    data_bytes: usize,
    record: Vec<u8>,
}

// SAFETY: the mapping belongs to this value alone and is not tied to the thread that made it.
unsafe impl Send for Ring {}

impl Ring {
    /// Maps a ring of `pages` data pages (a power of two) for a counter.
    pub(crate) fn map(fd: BorrowedFd<'_>, pages: usize) -> io::Result<Self> {
        assert!(pages.is_power_of_two(), "the kernel wants a power of two");
        let data_bytes = pages * PAGE_BYTES;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the call makes a new shared mapping at an address of the kernel's choice, so no memory of ours is
        // touched; the kernel checks the length against the counter.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                PAGE_BYTES + data_bytes,
                protection,
                libc::MAP_SHARED,
                fd.as_raw_fd(),
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("mapped at null"))?;
        Ok(Self {
            base,
            data_bytes,
            record: Vec::new(),
        })
    }

    /// Length of the data part in bytes.
    pub(crate) fn data_bytes(&self) -> usize {
        self.data_bytes
    }

    /// Hands every waiting record, header included, to `take` and frees the room of the records.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(&mut [u8])) {
        let head = self.position(std::mem::offset_of!(perf_event_mmap_page, data_head));
        let tail = self.position(std::mem::offset_of!(perf_event_mmap_page, data_tail));
        let end = head.load(Ordering::Acquire);
        let mut at = tail.load(Ordering::Relaxed);
        let mut record = std::mem::take(&mut self.record);
        while end.wrapping_sub(at) >= HEADER_BYTES as u64 {
            self.copy(at, HEADER_BYTES, &mut record);
            let len = usize::from(u16::from_le_bytes([record[6], record[7]]));
            if len < HEADER_BYTES || len as u64 > end.wrapping_sub(at) {
                break;
            }
            self.copy(at, len, &mut record);
            take(&mut record);
            at += len as u64;
        }
        self.record = record;
        self.position(std::mem::offset_of!(perf_event_mmap_page, data_tail))
            .store(end, Ordering::Release);
    }

    fn position(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: the offset is that of a field of the first page, which is mapped as long as `self` lives.
        let field = unsafe { self.base.as_ptr().add(offset) };
        // SAFETY: both positions are aligned u64 fields in readable and writable memory, and both sides
        // access them as atomics.
        unsafe { AtomicU64::from_ptr(field.cast()) }
    }

    /// Copies `len` bytes from a position on, round the end of the buffer if necessary.
    fn copy(&self, position: u64, len: usize, to: &mut Vec<u8>) {
        let start = (position % self.data_bytes as u64) as usize;
        let first = len.min(self.data_bytes - start);
        to.clear();
        to.resize(len, 0);
        for (from, part) in [(start, 0..first), (0, first..len)] {
            let part = &mut to[part];
            // SAFETY: `from` is at most `data_bytes`, so the result is within the mapping or at its end.
            let source = unsafe { self.base.as_ptr().add(PAGE_BYTES + from) };
            // SAFETY: `from + part.len()` is at most `data_bytes`, so the source lies within the mapped
            // data pages; the kernel does not write there until the tail is moved past it; the
            // destination is a slice of our own.
            unsafe { ptr::copy_nonoverlapping(source, part.as_mut_ptr(), part.len()) };
        }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the range is exactly the one that `map` has mapped, and nothing refers to it any more.
        let result =
            unsafe { libc::munmap(self.base.as_ptr().cast(), PAGE_BYTES + self.data_bytes) };
        debug_assert!(checked(result).is_ok());
    }
}
