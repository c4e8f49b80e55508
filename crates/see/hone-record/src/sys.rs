//! Safe wrappers around the system calls that this crate needs: the only unsafe code of this crate.
//!
//! Each wrapper does one call and nothing more, so that every proof fits beside its block. The modules above
//! describe what the calls mean together.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!(
    "hone-record reads x86-64 registers and Linux interfaces: no other target is supported"
);

pub(crate) mod clock;
pub(crate) mod kernel_pages;
pub(crate) mod memory;
pub(crate) mod perf;
pub(crate) mod poll;
pub(crate) mod ptrace;
pub(crate) mod ring;
pub(crate) mod sched;
pub(crate) mod signals;
pub(crate) mod spawn;
pub(crate) mod threads;
pub(crate) mod wait;
pub(crate) mod xstate;

use std::io;

/// Turns the -1 of a system call into the error of the call.
fn checked(result: impl Into<i64>) -> io::Result<i64> {
    match result.into() {
        -1 => Err(io::Error::last_os_error()),
        value => Ok(value),
    }
}
