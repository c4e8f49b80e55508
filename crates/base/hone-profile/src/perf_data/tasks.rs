//! Processes and threads as they start, fork and change their names.

use super::bytes::{Bytes, text};
use super::format::misc;
use crate::profile::{Profile, Thread, ThreadId};
use rustc_hash::FxHashMap;

/// Names and handles of the threads at the current time.
#[derive(Default)]
pub(crate) struct Tasks {
    names: FxHashMap<i32, String>,
    /// Handles of threads that were sampled under their present name, by (pid, tid).
    handles: FxHashMap<(i32, i32), ThreadId>,
}

impl Tasks {
    /// Processes a new name; returns the process id if the name came with an exec.
    pub(crate) fn comm(&mut self, bits: u16, body: &[u8]) -> Option<Option<i32>> {
        let mut rest = Bytes(body);
        let pid = rest.i32()?;
        let tid = rest.i32()?;
        self.rename(pid, tid, text(rest.0));
        Some((bits & misc::COMM_EXEC != 0).then_some(pid))
    }

    /// Processes a new thread or process; returns parent and child if the mappings are to be copied.
    pub(crate) fn fork(&mut self, bits: u16, body: &[u8]) -> Option<Option<(i32, i32)>> {
        let mut rest = Bytes(body);
        let pid = rest.i32()?;
        let parent_pid = rest.i32()?;
        let tid = rest.i32()?;
        let parent_tid = rest.i32()?;
        if let Some(name) = self.names.get(&parent_tid).cloned() {
            self.rename(pid, tid, name);
        }
        // perf makes up forks for processes that ran before it; the mappings of such processes follow one by one.
        let is_made_up = bits & misc::FORK_EXEC != 0;
        Some((pid != parent_pid && !is_made_up).then_some((parent_pid, pid)))
    }

    /// Returns the profile's handle of a thread. A thread without a name has the name of its process.
    pub(crate) fn thread(&mut self, pid: i32, tid: i32, profile: &mut Profile) -> ThreadId {
        *self.handles.entry((pid, tid)).or_insert_with(|| {
            let name = self.names.get(&tid).or_else(|| self.names.get(&pid));
            let name = name.cloned().unwrap_or_default();
            profile.intern_thread(Thread {
                pid,
                tid,
                name,
                ..Thread::default()
            })
        })
    }

    fn rename(&mut self, pid: i32, tid: i32, name: String) {
        self.names.insert(tid, name);
        self.handles.remove(&(pid, tid));
    }
}
