//! Every operation of a story fails once, in every way: what was acknowledged is there, once.

use std::collections::BTreeSet;
use std::sync::Arc;

use hone_hub::store::{Store, StoreError};

use super::fleet::{
    Detail, MIDNIGHT_S, SMALL, Sent, Sums, TENANT, counts_in, open, sums_in, sums_of,
};
use crate::disk::{Disk, Fault, Kind};

const HOUR: u32 = 60;
const DAY: u32 = 24 * HOUR;

fn sent(host: u8, number: u64, minute: u32) -> Sent {
    Sent {
        host,
        number: SMALL + number,
        minute,
    }
}

/// A step of the story.
#[derive(Clone, Copy, Debug)]
enum Step {
    Append(Sent),
    Compact { minute: u32 },
    Retain { minute: u32 },
}

/// Two days with copies before and after compaction, with files of hours that become files of days, and with retention.
fn story() -> Vec<Step> {
    let (a, b, c) = (sent(1, 1, 10), sent(1, 2, 12), sent(2, 1, 15));
    let (d, e, f) = (sent(2, 2, 70), sent(1, 3, 80), sent(2, 3, DAY + 5));
    vec![
        Step::Append(a),
        Step::Append(b),
        Step::Append(a),
        Step::Append(c),
        Step::Compact { minute: 65 },
        Step::Append(b),
        Step::Append(d),
        Step::Append(e),
        Step::Compact {
            minute: 2 * HOUR + 1,
        },
        Step::Append(f),
        Step::Append(d),
        Step::Compact {
            minute: DAY + HOUR + 1,
        },
        Step::Retain {
            minute: DAY + 3 * HOUR,
        },
        Step::Append(e),
        Step::Compact {
            minute: DAY + 5 * HOUR,
        },
    ]
}

fn second(minute: u32) -> u64 {
    MIDNIGHT_S + u64::from(minute) * 60
}

fn take(store: &Store, step: Step, acknowledged: &mut BTreeSet<Sent>) -> Result<(), StoreError> {
    match step {
        Step::Append(batch) => {
            store.append(TENANT, &batch.received(), batch.start_s() + 120)?;
            acknowledged.insert(batch);
        }
        Step::Compact { minute } => {
            store.compact(second(minute))?;
        }
        Step::Retain { minute } => {
            store.retain(second(minute))?;
        }
    }
    Ok(())
}

fn all_sent() -> BTreeSet<Sent> {
    let batch = |step| match step {
        Step::Append(batch) => Some(batch),
        _ => None,
    };
    story().into_iter().filter_map(batch).collect()
}

/// Makes sure that the answer is that of the acknowledged batches, with or without the one that was on its way.
fn check(sums: &Sums, acknowledged: &BTreeSet<Sent>, underway: Option<Sent>, place: &str) {
    let with = acknowledged.iter().copied().chain(underway);
    let is_one = *sums == sums_of(acknowledged.iter().copied(), Detail::Days)
        || *sums == sums_of(with, Detail::Days);
    assert!(is_one, "{place}: lost or doubled");
}

/// Tells the story with one fault; returns false if the story has no such operation.
///
/// What only reads leaves the disk as it was: a crash after it is one after the change before it, as is a crash before any operation, and a
/// lost answer of it is a request that failed.
fn tell(kind: Kind, operation: u64, fault: Fault) -> bool {
    let place = format!("{kind:?}, {fault:?} at operation {operation}");
    let disk = Disk::new(kind);
    let mut store = open(Arc::new(disk.clone()));
    match fault {
        Fault::CrashAfter | Fault::FailAfter => disk.plan_change(operation, fault),
        Fault::CrashBefore | Fault::Fail => disk.plan(operation, fault),
    }
    let mut acknowledged = BTreeSet::new();
    let dies = matches!(fault, Fault::CrashBefore | Fault::CrashAfter);
    for step in story() {
        if take(&store, step, &mut acknowledged).is_ok() {
            continue;
        }
        if dies {
            drop(store);
            disk.restart();
            store = open(Arc::new(disk.clone()));
        }
        let underway = match step {
            Step::Append(batch) => Some(batch),
            _ => None,
        };
        let counts = counts_in(&store, Detail::Days);
        check(&counts, &acknowledged, underway, &place);
        // Hosts send again what was not acknowledged, and compaction runs again.
        take(&store, step, &mut acknowledged).unwrap();
        let counts = counts_in(&store, Detail::Days);
        check(&counts, &acknowledged, None, &place);
    }
    let has_failed = disk.has_failed();
    disk.restart();
    let store = open(Arc::new(disk));
    let late_s = second(DAY * 3);
    store.compact(late_s).unwrap();
    store.retain(late_s).unwrap();
    let expected = sums_of(all_sent(), Detail::Days);
    assert_eq!(sums_in(&store, Detail::Days), expected, "{place}");
    has_failed
}

fn tell_with_each(kind: Kind, fault: Fault) {
    let operations = (0..).take_while(|operation| tell(kind, *operation, fault));
    let operations = operations.count();
    assert!(operations > 60, "only {operations} operations");
}

#[test]
fn a_crash_at_any_operation_on_a_folder_loses_and_doubles_nothing() {
    tell_with_each(Kind::Folder, Fault::CrashAfter);
}

#[test]
fn a_full_disk_at_any_operation_loses_and_doubles_nothing() {
    tell_with_each(Kind::Folder, Fault::Fail);
}

#[test]
fn a_crash_at_any_operation_on_a_bucket_loses_and_doubles_nothing() {
    tell_with_each(Kind::Bucket, Fault::CrashAfter);
}

#[test]
fn a_request_that_times_out_after_success_is_counted_once() {
    tell_with_each(Kind::Bucket, Fault::FailAfter);
}

#[test]
fn a_request_that_fails_loses_and_doubles_nothing() {
    tell_with_each(Kind::Bucket, Fault::Fail);
}
