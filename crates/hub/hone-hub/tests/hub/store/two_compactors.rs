//! Two that compact at once, and leases of those that died.

use std::io;
use std::sync::{Arc, Mutex};

use hone_hub::store::objects::{Appender, Listed, Object, Objects, Version};

use super::fleet::{Detail, MIDNIGHT_S, Sent, TENANT, open, sums_in, sums_of};
use crate::disk::{Disk, Kind};

type Hook = Box<dyn FnOnce() + Send>;

/// Objects under which something happens just before an entry of the journal is committed.
struct BeforeCommit {
    inner: Disk,
    hook: Mutex<Option<Hook>>,
}

impl Objects for BeforeCommit {
    fn get_versioned(&self, name: &str) -> io::Result<Option<Object>> {
        self.inner.get_versioned(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.inner.put(name, bytes)
    }

    fn put_if_absent(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        if name.contains("/journal/")
            && let Some(hook) = self.hook.lock().unwrap().take()
        {
            hook();
        }
        self.inner.put_if_absent(name, bytes)
    }

    fn replace(&self, name: &str, bytes: &[u8], version: &Version) -> io::Result<bool> {
        self.inner.replace(name, bytes, version)
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        self.inner.list(prefix)
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        self.inner.delete(name)
    }

    fn appender(&self, name: &str) -> io::Result<Option<Box<dyn Appender>>> {
        self.inner.appender(name)
    }
}

const COMPACT_S: u64 = MIDNIGHT_S + 2 * 3600;
/// Longer than a lease.
const LATER_S: u64 = COMPACT_S + 3600;

fn story() -> Vec<Sent> {
    let sent = |number| Sent {
        host: 1,
        number,
        minute: 10,
    };
    (0..5).map(sent).collect()
}

fn filled() -> Disk {
    let disk = Disk::new(Kind::Bucket);
    let store = open(Arc::new(disk.clone()));
    for sent in story() {
        store
            .append(TENANT, &sent.received(), sent.start_s())
            .unwrap();
    }
    disk
}

fn parquet_files(disk: &Disk) -> usize {
    let listed = disk.list("").unwrap();
    let files = listed.iter();
    files.filter(|file| file.name.ends_with(".parquet")).count()
}

#[test]
fn of_two_compactors_at_once_one_commits_and_the_other_leaves_no_files() {
    let disk = filled();
    let other = disk.clone();
    // The first compactor is so slow that its lease ends, and another does the same work before it commits.
    let slow = open(Arc::new(BeforeCommit {
        inner: disk.clone(),
        hook: Mutex::new(Some(Box::new(move || {
            let done = open(Arc::new(other)).compact(LATER_S).unwrap();
            assert_eq!((done.batches, done.tenants_held), (5, 0));
        }))),
    }));
    let done = slow.compact(COMPACT_S).unwrap();
    assert_eq!((done.batches, done.overtaken), (0, 1));
    assert_eq!(
        sums_in(&slow, Detail::Whole),
        sums_of(story(), Detail::Whole)
    );
    let files = parquet_files(&disk);
    open(Arc::new(disk.clone())).retain(LATER_S).unwrap();
    assert_eq!(parquet_files(&disk), files, "something was left over");
}

#[test]
fn files_of_a_compaction_under_way_are_not_taken_for_leavings_that_it_still_commits() {
    let disk = filled();
    let other = disk.clone();
    let slow = open(Arc::new(BeforeCommit {
        inner: disk.clone(),
        hook: Mutex::new(Some(Box::new(move || {
            let done = open(Arc::new(other)).retain(LATER_S).unwrap();
            assert!(done.removed_objects > 0);
        }))),
    }));
    let done = slow.compact(COMPACT_S).unwrap();
    assert_eq!((done.batches, done.overtaken), (5, 1));
    let expected = sums_of(story(), Detail::Whole);
    assert_eq!(sums_in(&slow, Detail::Whole), expected);
}

#[test]
fn a_lease_keeps_others_away_until_it_ends() {
    let disk = filled();
    let other = disk.clone();
    let first = open(Arc::new(BeforeCommit {
        inner: disk.clone(),
        hook: Mutex::new(Some(Box::new(move || {
            let second = open(Arc::new(other));
            let done = second.compact(COMPACT_S + 1).unwrap();
            assert_eq!((done.batches, done.tenants_held), (0, 1));
        }))),
    }));
    assert_eq!(first.compact(COMPACT_S).unwrap().batches, 5);
}

#[test]
fn the_lease_of_a_dead_replica_ends_by_itself_and_by_no_clock_that_was_wrong() {
    for (died_s, taken_s) in [(COMPACT_S, LATER_S), (COMPACT_S + 90 * 86_400, COMPACT_S)] {
        let disk = filled();
        let killed = disk.clone();
        let first = open(Arc::new(BeforeCommit {
            inner: disk.clone(),
            hook: Mutex::new(Some(Box::new(move || {
                killed.plan(0, crate::disk::Fault::CrashBefore);
            }))),
        }));
        first.compact(died_s).unwrap_err();
        disk.restart();
        let second = open(Arc::new(disk));
        let done = second.compact(taken_s).unwrap();
        assert_eq!((done.batches, done.tenants_held), (5, 0));
        let expected = sums_of(story(), Detail::Whole);
        assert_eq!(sums_in(&second, Detail::Whole), expected);
    }
}

#[test]
fn many_replicas_append_and_compact_at_once() {
    let disk = Disk::new(Kind::Bucket);
    let sent = |replica: u8, number: u64| Sent {
        host: replica,
        number,
        minute: number as u32 * 7,
    };
    std::thread::scope(|scope| {
        for replica in 0..3 {
            let disk = disk.clone();
            scope.spawn(move || {
                let store = open(Arc::new(disk));
                for number in 0..12 {
                    let batch = sent(replica, number);
                    store
                        .append(TENANT, &batch.received(), batch.start_s())
                        .unwrap();
                    // Each goes by a clock that is hours before the last one's, so that no lease holds.
                    let now_s = batch.start_s() + 7200 * u64::from(3 - replica);
                    store.compact(now_s).unwrap();
                }
            });
        }
    });
    let store = open(Arc::new(disk));
    let all = (0..3).flat_map(|replica| (0..12).map(move |number| sent(replica, number)));
    let expected = sums_of(all, Detail::Whole);
    assert_eq!(sums_in(&store, Detail::Whole), expected);
    store.compact(LATER_S + 12 * 3600).unwrap();
    assert_eq!(sums_in(&store, Detail::Whole), expected);
}
