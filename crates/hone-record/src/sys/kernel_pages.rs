//! Pages of our own that only the kernel may write, which it also changes at any time.

use super::checked;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsRawFd;

/// Copies `len` bytes at `address` of our own memory into a pipe: the kernel reads them, so that a page that is not
/// there is an error and no signal.
pub(crate) fn send(pipe: &PipeWriter, address: u64, len: usize) -> io::Result<usize> {
    // SAFETY: the kernel only reads there, checks every byte itself, and answers EFAULT for what cannot be read.
    let count = unsafe { libc::write(pipe.as_raw_fd(), address as *const libc::c_void, len) };
    Ok(checked(count as i64)? as usize)
}

/// Takes what [`send`] left.
pub(crate) fn receive(pipe: &mut PipeReader, buffer: &mut [u8]) -> io::Result<()> {
    pipe.read_exact(buffer)
}
