//! The vdso (the kernel's code in every process) as it was when a recording was made.

use std::fs;

/// Returns the vdso of the running kernel, if `kernel` is its release: all processes of a kernel have the same vdso.
pub fn recorded_vdso(kernel: &str) -> Option<Vec<u8>> {
    let running = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    match running.trim() == kernel {
        true => hone_record::vdso(),
        false => None,
    }
}
