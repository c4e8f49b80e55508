//! Whatever is appended, in any order, with copies, compacted at any time: what is read adds up to what was sent.

use std::collections::BTreeSet;
use std::sync::Arc;

use hone_hub::store::{Location, Store};
use proptest::prelude::*;

use super::fleet::{Detail, MIDNIGHT_S, Sent, TENANT, open, options, sums_in, sums_of};
use crate::disk::{Disk, Kind};

const DAY_MINUTES: u32 = 24 * 60;

#[derive(Clone, Debug)]
enum Act {
    Append(Sent),
    /// Appends again what was sent at this place before.
    Copy(usize),
    Compact {
        minute: u32,
    },
    Retain {
        minute: u32,
    },
    Reopen,
}

fn sent() -> impl Strategy<Value = Sent> {
    (0..3_u8, 0..30_u64).prop_map(|(host, number)| Sent {
        host,
        number,
        // The batch of a number is always of the same time.
        minute: (number as u32 * 977 + u32::from(host) * 31) % (2 * DAY_MINUTES),
    })
}

fn act() -> impl Strategy<Value = Act> {
    let minute = 0..4 * DAY_MINUTES;
    prop_oneof![
        8 => sent().prop_map(Act::Append),
        3 => (0..20_usize).prop_map(Act::Copy),
        3 => minute.clone().prop_map(|minute| Act::Compact { minute }),
        1 => minute.prop_map(|minute| Act::Retain { minute }),
        1 => Just(Act::Reopen),
    ]
}

fn reads_what_was_sent(kind: Kind, acts: &[Act], hours_kept_days: u64, detail: Detail) {
    let disk = Disk::new(kind);
    let open = || {
        let mut options = options();
        options.limits.hours_kept_days = hours_kept_days;
        // Small, so that there are many segments, and compactions of some of them.
        options.limits.segment_bytes = 150;
        options.limits.compact_bytes = 400;
        Store::open(Location::Objects(Arc::new(disk.clone())), options).unwrap()
    };
    let mut store = open();
    let mut all = Vec::new();
    let mut append = |store: &Store, batch: Sent| {
        store
            .append(TENANT, &batch.received(), batch.start_s())
            .unwrap();
        all.push(batch);
    };
    let mut order = Vec::new();
    for act in acts {
        match act {
            Act::Append(batch) => {
                append(&store, *batch);
                order.push(*batch);
            }
            Act::Copy(place) => {
                if let Some(batch) = order.get(*place) {
                    append(&store, *batch);
                }
            }
            Act::Compact { minute } => {
                let now_s = MIDNIGHT_S + u64::from(*minute) * 60;
                store.compact(now_s).unwrap();
            }
            Act::Retain { minute } => {
                let now_s = MIDNIGHT_S + u64::from(*minute) * 60;
                store.retain(now_s).unwrap();
            }
            Act::Reopen => store = open(),
        }
    }
    let expected = sums_of(all, detail);
    assert_eq!(sums_in(&store, detail), expected);
    drop(store);
    assert_eq!(sums_in(&open(), detail), expected, "after another start");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn hours_read_back_as_the_same_sums(acts in prop::collection::vec(act(), 0..40)) {
        reads_what_was_sent(Kind::Folder, &acts, 365, Detail::Whole);
    }

    #[test]
    fn days_read_back_as_the_same_sums_without_hosts(acts in prop::collection::vec(act(), 0..40)) {
        reads_what_was_sent(Kind::Bucket, &acts, 0, Detail::Days);
    }
}

#[test]
fn a_clock_that_steps_back_loses_and_doubles_nothing() {
    let disk = Disk::new(Kind::Folder);
    let store = open(Arc::new(disk));
    let mut sent = BTreeSet::new();
    for (number, now_minute) in [(0, 600), (1, 601), (2, 30), (3, 29), (4, 602)] {
        let batch = Sent {
            host: 1,
            number,
            minute: 20,
        };
        let now_s = MIDNIGHT_S + now_minute * 60;
        for _ in 0..2 {
            store.append(TENANT, &batch.received(), now_s).unwrap();
        }
        sent.insert(batch);
        store.compact(now_s).unwrap();
        store.retain(now_s).unwrap();
        let expected = sums_of(sent.iter().copied(), Detail::Whole);
        assert_eq!(sums_in(&store, Detail::Whole), expected);
    }
}
