//! Writes the mapping of the vdso once more before the first branch stack of each process, which is harmless since
//! the mapping never changes.
//!
//! llvm-profgen 19 mistakes bare addresses right before the first branch stack for a call chain, and the whole file
//! for another kind of file. A mapping between the addresses and the branch stack avoids that.

use crate::procfs::{self, Mapping};
use crate::record_bytes as bytes;
use rustc_hash::{FxHashMap, FxHashSet};

/// Name of the mapping in `/proc` and in the kernel's records.
pub(crate) const VDSO: &str = "[vdso]";

/// Mapping of the vdso in each process, and the processes whose vdso was already written before a branch stack.
#[derive(Default)]
pub(crate) struct Announcements {
    vdsos: FxHashMap<i32, Mapping>,
    done: FxHashSet<i32>,
}

impl Announcements {
    /// Takes a mapping of the recording. The vdso is kept for a process that has ended by the time its walk is written.
    pub(crate) fn note(&mut self, pid: i32, mapping: &Mapping) {
        if mapping.path == VDSO {
            self.vdsos.insert(pid, mapping.clone());
        }
    }

    /// Takes a record as read from a ring.
    pub(crate) fn kernel_record(&mut self, record: &[u8]) {
        if bytes::is_exec(record) {
            self.exec(bytes::process(record));
        }
        if let Some((parent, child)) = bytes::fork(record) {
            self.fork(parent, child);
        }
        if let (Some((pid, range)), Some((_, path))) = (
            bytes::changed_code(record),
            bytes::executable_mapping(record),
        ) {
            let mapping = Mapping {
                start: range.start,
                end: range.end,
                file_offset: 0,
                protection: (libc::PROT_READ | libc::PROT_EXEC) as u32,
                flags: libc::MAP_PRIVATE as u32,
                device: (0, 0, 0),
                path,
            };
            self.note(pid, &mapping);
        }
    }

    /// Notes a new child process, which has the same mappings as its parent.
    fn fork(&mut self, parent: i32, child: i32) {
        self.done.remove(&child);
        if let Some(vdso) = self.vdsos.get(&parent).cloned() {
            self.vdsos.insert(child, vdso);
        }
    }

    /// Notes that a process has become another program, whose first branch stack is still to come.
    pub(crate) fn exec(&mut self, pid: i32) {
        self.done.remove(&pid);
        self.vdsos.remove(&pid);
    }

    /// Returns the mapping to write before a branch stack of the process, if the stack is the first.
    pub(crate) fn before_stack(&mut self, pid: i32) -> Option<Mapping> {
        if !self.done.insert(pid) {
            return None;
        }
        let vdso = self.vdsos.get(&pid).cloned();
        vdso.or_else(|| {
            let mut mappings = procfs::executable_mappings(pid).into_iter();
            mappings.find(|mapping| mapping.path == VDSO)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process id above every real process id.
    const GONE: i32 = i32::MAX - 1;

    fn vdso(start: u64) -> Mapping {
        Mapping {
            start,
            end: start + 0x2000,
            file_offset: 0,
            protection: 5,
            flags: 2,
            device: (0, 0, 0),
            path: VDSO.to_owned(),
        }
    }

    #[test]
    fn a_process_that_is_gone_is_announced_once_per_program() {
        let mut announcements = Announcements::default();
        announcements.note(GONE, &vdso(0x1000));
        assert_eq!(announcements.before_stack(GONE), Some(vdso(0x1000)));
        assert_eq!(announcements.before_stack(GONE), None);
        announcements.exec(GONE);
        announcements.note(GONE, &vdso(0x5000));
        assert_eq!(announcements.before_stack(GONE), Some(vdso(0x5000)));
    }

    #[test]
    fn a_child_has_the_mapping_of_its_parent() {
        let mut announcements = Announcements::default();
        announcements.note(GONE - 1, &vdso(0x1000));
        announcements.fork(GONE - 1, GONE);
        assert_eq!(announcements.before_stack(GONE), Some(vdso(0x1000)));
    }

    #[test]
    fn a_process_of_which_nothing_was_recorded_is_looked_at() {
        let mut announcements = Announcements::default();
        let own = announcements.before_stack(std::process::id() as i32);
        assert_eq!(own.map(|mapping| mapping.path), Some(VDSO.to_owned()));
        assert_eq!(announcements.before_stack(GONE), None);
    }
}
