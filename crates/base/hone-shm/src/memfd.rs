//! Files of memory that are shared: made so that neither their size nor their memory is missing later, and checked where the other
//! side has made them.

use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};
use rustix::io::retry_on_intr;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

fn seals() -> SealFlags {
    SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL
}

/// Makes a file whose size never changes, and takes all of its memory.
pub(crate) fn create(bytes: usize) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = rustix::fs::memfd_create("hone-shm", flags)?;
    retry_on_intr(|| rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, bytes as u64))?;
    rustix::fs::fcntl_add_seals(&file, seals())?;
    Ok(file)
}

/// Returns true if a file is memory of so many bytes, and will always be.
pub(crate) fn is_sealed(file: BorrowedFd<'_>, bytes: usize) -> bool {
    // Seals first: only memory has them, and a file of another kind may answer whenever its maker likes.
    rustix::fs::fcntl_get_seals(file).is_ok_and(|of_file| of_file.contains(seals()))
        && rustix::fs::fstat(file)
            .is_ok_and(|about| u64::try_from(about.st_size) == Ok(bytes as u64))
}
