//! The pages from which the kernel's code in every process (the vdso) reads the time.
//!
//! No process can read these pages in another process: the kernel allows neither ptrace nor process_vm_readv there. But
//! all processes have the same pages, so our own pages replace those of the target. With them a walk goes through
//! `clock_gettime` as the program does, with whatever clock this kernel uses, and out of it again.
//!
//! A process in another time namespace has different pages. A walk of such a process still ends there.

use crate::procfs::{self, Mapping};
use crate::sys::kernel_pages;
use hone_emulate::PAGE_BYTES;
use std::fs;
use std::io::{PipeReader, PipeWriter};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Prefix of the names of the mappings: `[vvar]` and, since Linux 6.13, `[vvar_vclock]`.
const NAME: &str = "[vvar";
/// Number of attempts: the kernel changes the pages at every tick of its timer, for some hundred nanoseconds.
const TRIES: usize = 8;

/// Our own pages with the kernel's data.
pub(crate) struct KernelData {
    mappings: Vec<Mapping>,
    time_namespace: Option<PathBuf>,
    pipe: Mutex<Option<(PipeReader, PipeWriter)>>,
}

impl KernelData {
    /// Finds the pages of this process. Without pages, or without a pipe, walks end where the program reads the time.
    pub(crate) fn own() -> Self {
        let pid = std::process::id() as i32;
        let mut mappings = procfs::mappings(pid);
        mappings.retain(is_kernel_data);
        Self {
            mappings,
            time_namespace: time_namespace(pid),
            pipe: Mutex::new(std::io::pipe().ok()),
        }
    }

    /// Returns true if a process has the same pages.
    pub(crate) fn are_those_of(&self, pid: i32) -> bool {
        time_namespace(pid) == self.time_namespace
    }

    /// Reads a page of a mapping of a process for which [`Self::are_those_of`] holds.
    pub(crate) fn read(&self, theirs: &Mapping, page: u64, out: &mut [u8; PAGE_BYTES]) -> bool {
        let len = |mapping: &Mapping| mapping.end - mapping.start;
        let mut ours = self.mappings.iter();
        let Some(ours) = ours.find(|ours| ours.path == theirs.path && len(ours) == len(theirs))
        else {
            return false;
        };
        let address = ours.start + (page - theirs.start);
        let mut again = [0; PAGE_BYTES];
        let mut found = self.copy(address, out);
        for _ in 0..TRIES {
            if !found {
                return false;
            }
            found = self.copy(address, &mut again);
            // A page that stays the same was not copied while the kernel changed it.
            if found && again == *out {
                return true;
            }
            *out = again;
        }
        false
    }

    /// Lets the kernel copy a page: a page may have nothing behind it, and reading it directly would then end this process.
    fn copy(&self, address: u64, out: &mut [u8; PAGE_BYTES]) -> bool {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((reader, writer)) = &mut *pipe else {
            return false;
        };
        let Ok(count) = kernel_pages::send(writer, address, PAGE_BYTES) else {
            return false;
        };
        kernel_pages::receive(reader, &mut out[..count]).is_ok() && count == PAGE_BYTES
    }
}

/// Returns true if nobody but the process itself can read the mapping.
pub(crate) fn is_kernel_data(mapping: &Mapping) -> bool {
    mapping.path.starts_with(NAME)
}

/// Returns the time namespace of a process; `None` on kernels without time namespaces, and for processes that we may
/// not look at.
fn time_namespace(pid: i32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/ns/time")).ok()
}

#[cfg(test)]
mod truth;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_there_are_copied_and_others_are_refused() {
        let data = KernelData::own();
        if data.mappings.is_empty() {
            println!("skipped: this kernel gives its processes no clock to read");
            return;
        }
        assert!(data.are_those_of(std::process::id() as i32));
        assert!(!data.are_those_of(i32::MAX) || data.time_namespace.is_none());
        let mut page = [0; PAGE_BYTES];
        let mut read = 0;
        for mapping in &data.mappings {
            for start in (mapping.start..mapping.end).step_by(PAGE_BYTES) {
                read += usize::from(data.read(mapping, start, &mut page));
            }
        }
        assert!(read > 0, "{:?}", data.mappings);
        // A refused page leaves nothing in the pipe.
        assert!(!data.copy(0, &mut page));
        let own = [7_u8; 2 * PAGE_BYTES];
        assert!(data.copy(own.as_ptr() as u64, &mut page));
        assert_eq!(page, [7; PAGE_BYTES]);
        let other = Mapping {
            path: "[vvar_of_another_kernel]".to_owned(),
            ..data.mappings[0].clone()
        };
        assert!(!data.read(&other, other.start, &mut page));
    }
}
