//! Reading another process's memory.

use super::checked;
use std::io;

/// Reads up to `buffer.len()` bytes at `address` of a process and returns the number of bytes read.
pub(crate) fn read(pid: i32, address: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let local = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    let remote = libc::iovec {
        iov_base: address as *mut libc::c_void,
        iov_len: buffer.len(),
    };
    // SAFETY: `local` describes exactly `buffer`, which is borrowed mutably for the whole call; the
    // remote address is only ever used in the other process, where the kernel checks it.
    let count = unsafe { libc::process_vm_readv(pid, &local, 1, &remote, 1, 0) };
    Ok(checked(count as i64)? as usize)
}
