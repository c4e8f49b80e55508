//! Pages of our own memory that only the kernel may write, and changes at any time.

use super::checked;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsRawFd;

/// Copies `len` bytes at `address` of our own memory into a pipe. The kernel reads the bytes, so that a missing page
/// is an error and not a signal.
pub(crate) fn send(pipe: &PipeWriter, address: u64, len: usize) -> io::Result<usize> {
    // SAFETY: the kernel only reads at `address`, checks every byte itself, and answers EFAULT for bytes that cannot be read.
    let count = unsafe { libc::write(pipe.as_raw_fd(), address as *const libc::c_void, len) };
    Ok(checked(count as i64)? as usize)
}

/// Reads the bytes that [`send`] has written.
pub(crate) fn receive(pipe: &mut PipeReader, buffer: &mut [u8]) -> io::Result<()> {
    pipe.read_exact(buffer)
}
