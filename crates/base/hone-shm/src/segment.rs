//! Segments that a server makes, and those that a client gets, whose files it does not trust.

use crate::layout::{CAPACITY_AT, MAGIC, MAGIC_AT, Written, file_bytes, is_capacity};
use crate::memfd;
use crate::memory::Mapping;
use crate::ring::{RingReader, RingWriter};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Both ends that one side has: of the ring that it writes, and of the ring that it reads.
pub(crate) struct Ends {
    pub(crate) out: RingWriter,
    pub(crate) incoming: RingReader,
}

/// Makes a segment, and its file. All its memory is taken at once, so that none can be missing later.
pub(crate) fn create(capacity: usize, written: Written) -> io::Result<(Ends, OwnedFd)> {
    if !is_capacity(capacity) {
        return Err(refused(io::ErrorKind::InvalidInput));
    }
    let file = memfd::create(file_bytes(capacity))?;
    let mapping = Mapping::of(file.as_fd(), capacity)?;
    let word = |at| mapping.word64(at);
    word(CAPACITY_AT).store(capacity as u64, Ordering::SeqCst);
    word(MAGIC_AT).store(u64::from_ne_bytes(MAGIC), Ordering::SeqCst);
    Ok((ends(mapping, capacity, written), file))
}

/// Maps a segment that the other side has made: it must have the size that its capacity asks for, and never get another.
pub(crate) fn map(file: BorrowedFd<'_>, capacity: u64, written: Written) -> io::Result<Ends> {
    let refused = || refused(io::ErrorKind::InvalidData);
    let capacity = usize::try_from(capacity).map_err(|_| refused())?;
    if !is_capacity(capacity) || !memfd::is_sealed(file, file_bytes(capacity)) {
        return Err(refused());
    }
    let mapping = Mapping::of(file, capacity)?;
    let magic = mapping.word64(MAGIC_AT).load(Ordering::SeqCst);
    let told = mapping.word64(CAPACITY_AT).load(Ordering::SeqCst);
    if magic != u64::from_ne_bytes(MAGIC) || told != capacity as u64 {
        return Err(refused());
    }
    Ok(ends(mapping, capacity, written))
}

fn refused(kind: io::ErrorKind) -> io::Error {
    io::Error::new(
        kind,
        "no segment with rings of a power of two from 64 KiB to 64 MiB, sealed, in the layout of version 1",
    )
}

fn ends(mapping: Mapping, capacity: usize, written: Written) -> Ends {
    let mapping = Arc::new(mapping);
    Ends {
        out: RingWriter::of(Arc::clone(&mapping), written, capacity),
        incoming: RingReader::of(mapping, written.other(), capacity),
    }
}
