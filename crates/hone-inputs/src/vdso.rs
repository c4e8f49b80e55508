//! The kernel's code in every process, as it was when a recording was made.

use std::fs;

/// The vdso of the running kernel, if that was recorded: all its processes have the same.
pub fn recorded_vdso(kernel: &str) -> Option<Vec<u8>> {
    let running = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    match running.trim() == kernel {
        true => hone_record::vdso(),
        false => None,
    }
}
