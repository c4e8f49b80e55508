//! The processes that a recording is about, for counters that see every process.
//!
//! Members are the processes that were named or started when the recording began, and all processes that members start. A process
//! that ran before and was not named is no member, even if a member is its parent.

use crate::procfs;
use crate::record_bytes as bytes;
use crate::sys::threads;
use rustc_hash::FxHashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Longest chain of parents that is followed.
const ANCESTORS_MAX: usize = 64;

/// Members of a recording, and processes that are known to be none.
pub(crate) struct Members(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// Members, also those that have ended: records of a process may be read after its end.
    members: FxHashSet<i32>,
    /// Members that had not ended at the last look.
    living: FxHashSet<i32>,
    others: FxHashSet<i32>,
}

impl Members {
    /// Returns the members of a recording that begins now.
    pub(crate) fn of(pids: &[i32]) -> Self {
        Self::among(pids, procfs::processes())
    }

    fn among(pids: &[i32], running: Vec<i32>) -> Self {
        let members = FxHashSet::from_iter(pids.iter().copied());
        let mut others = FxHashSet::from_iter(running);
        others.retain(|pid| !members.contains(pid));
        Self(Mutex::new(Known {
            living: members.clone(),
            members,
            others,
        }))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the birth of a process: the child of a member is a member, whoever had its number before.
    pub(crate) fn born(&self, parent: i32, child: i32) {
        self.known().born(parent, child);
    }

    /// Returns true if a record is about a member. Births must come in the order of time.
    pub(crate) fn admit(&self, record: &[u8]) -> bool {
        let mut known = self.known();
        if let Some((parent, child)) = bytes::fork(record) {
            known.born(parent, child);
        }
        match bytes::kind(record) {
            bytes::LOST | bytes::LOST_SAMPLES => true,
            bytes::SAMPLE => known.members.contains(&bytes::sample_pid(record)),
            _ => known.members.contains(&bytes::process(record)),
        }
    }

    /// Returns true if a process that runs now is a member. The births of the process and of its parents may not have been read
    /// yet: `/proc` tells of them.
    pub(crate) fn has(&self, pid: i32) -> bool {
        self.known().has(pid, &|pid| {
            // The kernel may look up a process that has just ended for ever (see `walker::precedence`).
            threads::is_there(pid, pid).then(|| procfs::parent_of(pid))?
        })
    }

    /// Members that have not ended.
    pub(crate) fn living(&self) -> FxHashSet<i32> {
        let mut known = self.known();
        // The number of a process that has ended may now belong to another process.
        known.living.retain(|&pid| procfs::is_there(pid));
        known.living.clone()
    }
}

impl Known {
    fn born(&mut self, parent: i32, child: i32) {
        if self.members.contains(&parent) {
            self.others.remove(&child);
            self.members.insert(child);
            self.living.insert(child);
        } else {
            self.members.remove(&child);
            self.living.remove(&child);
            self.others.insert(child);
        }
    }

    fn has(&mut self, pid: i32, parent_of: &dyn Fn(i32) -> Option<i32>) -> bool {
        let mut unknown = Vec::new();
        let mut at = pid;
        let is_member = loop {
            if self.members.contains(&at) {
                break true;
            }
            if self.others.contains(&at) || unknown.len() == ANCESTORS_MAX {
                break false;
            }
            unknown.push(at);
            match parent_of(at) {
                Some(parent) => at = parent,
                // The process is gone: the record of its birth will tell.
                None => return false,
            }
        };
        match is_member {
            true => {
                self.members.extend(&unknown);
                self.living.extend(unknown);
            }
            false => self.others.extend(unknown),
        }
        is_member
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    /// Bytes of a record of the kernel about a birth.
    fn birth(parent: i32, child: i32) -> Vec<u8> {
        let mut record = Vec::new();
        for word in [bytes::FORK, 32 << 16] {
            record.extend(word.to_ne_bytes());
        }
        for id in [child, parent, child, parent] {
            record.extend(id.to_ne_bytes());
        }
        record
    }

    fn has(members: &Members, pid: i32, parents: &FxHashMap<i32, i32>) -> bool {
        members.known().has(pid, &|pid| parents.get(&pid).copied())
    }

    #[test]
    fn a_process_is_a_member_by_birth_and_not_by_its_number() {
        let members = Members::among(&[10], vec![1, 10, 20, 21]);
        assert!(members.admit(&birth(10, 11)) && members.admit(&birth(11, 12)));
        assert!(!members.admit(&birth(20, 22)));
        let known = FxHashMap::default();
        assert!(has(&members, 12, &known) && !has(&members, 22, &known));
        // 12 has ended, and its number came to a child of another program; 21's came to a child of a member.
        assert!(!members.admit(&birth(22, 12)) && members.admit(&birth(11, 21)));
        assert!(!has(&members, 12, &known) && has(&members, 21, &known));
    }

    #[test]
    fn a_birth_that_was_not_read_yet_is_found_by_the_parents() {
        // 20 is a child of 10 that ran before and was not named.
        let members = Members::among(&[10], vec![1, 10, 20]);
        let parents =
            FxHashMap::from_iter([(20, 10), (31, 30), (30, 10), (41, 40), (40, 20), (51, 50)]);
        assert!(has(&members, 31, &parents), "a grandchild");
        assert!(
            !has(&members, 41, &parents),
            "a child of a process that was not named"
        );
        assert!(!has(&members, 51, &parents), "its parent is gone");
        // The record of the birth comes, and tells.
        assert!(!members.admit(&birth(20, 50)) && members.admit(&birth(31, 50)));
        assert!(has(&members, 51, &parents));
    }

    #[test]
    fn what_is_read_after_a_member_has_ended_is_kept() {
        // Numbers that no process can have.
        let (ended, child) = (i32::MAX - 1, i32::MAX - 2);
        let members = Members::among(&[ended], vec![1]);
        assert!(members.living().is_empty());
        assert!(members.admit(&birth(ended, child)));
        assert!(members.living().is_empty());
        assert!(members.admit(&birth(child, i32::MAX - 3)));
    }

    #[test]
    fn own_children_are_members() {
        let own = std::process::id() as i32;
        let members = Members::of(&[own]);
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .unwrap();
        let is_member = members.has(child.id() as i32);
        let living = members.living();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_member && living.contains(&own));
        assert!(!members.has(1) && !members.has(i32::MAX));
    }
}
