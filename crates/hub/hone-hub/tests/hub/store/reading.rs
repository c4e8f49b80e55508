//! Questions: services, times, tables; and limits.

use std::sync::Arc;

use hone_batch::Origin;
use hone_hub::store::limits::REQUEST_NUMBER;
use hone_hub::store::objects::Objects;
use hone_hub::store::tables::Table;
use hone_hub::store::{Location, Query, Store, StoreError};

use super::fleet::{
    Detail, MIDNIGHT_S, Sent, Sums, TENANT, add_up, batch, open, options, sums_in, sums_of,
};
use crate::disk::{Disk, Kind};

const DAY_S: u64 = 86_400;

fn sent(number: u64, minute: u32) -> Sent {
    Sent {
        host: 3,
        number,
        minute,
    }
}

fn append(store: &Store, batch: Sent) {
    store
        .append(TENANT, &batch.received(), batch.start_s())
        .unwrap();
}

/// Weights of samples by second, as the store answers.
fn weights(store: &Store, span_s: std::ops::Range<u64>) -> Vec<(u64, u64)> {
    let query = Query {
        services: Some(vec!["checkout".to_owned()]),
        span_s,
        tables: vec![Table::Samples],
        merged: &[],
        hosts_apart: Vec::new(),
    };
    let mut weights = std::collections::BTreeMap::new();
    for part in store.read(TENANT, &query).unwrap() {
        let part = part.unwrap();
        assert_eq!(part.service, "checkout");
        assert!(part.rows(Table::Branches).is_empty());
        for samples in part.to_batch().samples {
            *weights.entry(samples.bucket * 60).or_default() += samples.weight;
        }
    }
    weights.into_iter().collect()
}

#[test]
fn a_time_has_its_minutes_and_no_others_before_and_after_compaction() {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    let all: Vec<Sent> = (0..20).map(|number| sent(number, number as u32)).collect();
    for batch in &all {
        append(&store, *batch);
    }
    let span = MIDNIGHT_S + 5 * 60 + 30..MIDNIGHT_S + 8 * 60;
    let mut expected = std::collections::BTreeMap::new();
    for sent in &all {
        let batch = batch(*sent);
        for row in &batch.samples {
            let minute = row.bucket - MIDNIGHT_S / 60;
            let service = &batch.groups[row.group.index()].service;
            if (5..8).contains(&minute) && service == "checkout" {
                *expected.entry(row.bucket * 60).or_default() += row.weight;
            }
        }
    }
    let expected: Vec<(u64, u64)> = expected.into_iter().collect();
    assert!(!expected.is_empty());
    assert_eq!(weights(&store, span.clone()), expected);
    store.compact(MIDNIGHT_S + 7200).unwrap();
    assert_eq!(weights(&store, span), expected);
}

#[test]
fn services_are_listed_with_their_days() {
    let store = open(Arc::new(Disk::new(Kind::Bucket)));
    for number in 0..10 {
        append(&store, sent(number, 10));
        append(&store, sent(number + 10, 24 * 60 + 10));
    }
    for _ in 0..2 {
        let services = store.services(TENANT, 0..u64::MAX).unwrap();
        let names: Vec<&str> = services
            .iter()
            .map(|service| service.name.as_str())
            .collect();
        assert_eq!(names, ["", "checkout"]);
        assert_eq!(services[1].days, ["2026-03-01", "2026-03-02"]);
        let first_day = store.services(TENANT, 0..MIDNIGHT_S + DAY_S).unwrap();
        assert_eq!(first_day[1].days, ["2026-03-01"]);
        store.compact(MIDNIGHT_S + DAY_S + 7200).unwrap();
    }
}

#[test]
fn requests_of_other_tools_are_known_for_an_hour_and_batches_of_hosts_still_after_it() {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    let requests: Vec<Sent> = (0..20).map(|number| sent(number, 10)).collect();
    let batches: Vec<Sent> = (20..40).map(|number| sent(number, 10)).collect();
    let send_all = |now_s: u64| {
        for request in &requests {
            let mut received = request.received();
            received.origin = Origin {
                host: String::new(),
                run: u128::from(request.number),
                number: REQUEST_NUMBER,
            };
            store.append(TENANT, &received, now_s).unwrap();
        }
        for batch in &batches {
            store.append(TENANT, &batch.received(), now_s).unwrap();
        }
    };
    let mut expected = sums_of(requests.iter().chain(&batches).copied(), Detail::Whole);
    send_all(MIDNIGHT_S + 720);
    assert_eq!(sums_in(&store, Detail::Whole), expected);
    store.compact(MIDNIGHT_S + 7200).unwrap();
    // Half an hour later.
    send_all(MIDNIGHT_S + 9000);
    store.retain(MIDNIGHT_S + 9000).unwrap();
    assert_eq!(sums_in(&store, Detail::Whole), expected);
    store.compact(MIDNIGHT_S + 14_400).unwrap();
    assert_eq!(sums_in(&store, Detail::Whole), expected);
    // Two hours later.
    store.retain(MIDNIGHT_S + 14_400).unwrap();
    send_all(MIDNIGHT_S + 14_400);
    for request in &requests {
        add_up(&batch(*request), Detail::Whole, &mut expected);
    }
    assert_eq!(sums_in(&store, Detail::Whole), expected);
}

#[test]
fn tenants_see_only_what_is_theirs() {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    append(&store, sent(1, 10));
    let other = store.services("umbrella", 0..u64::MAX).unwrap();
    assert_eq!(other, []);
    for name in ["", "..", "a/b", "A", "tenants", "tmp"] {
        let error = store.append(name, &sent(1, 10).received(), MIDNIGHT_S);
        assert!(matches!(error, Err(StoreError::TenantName(_))), "{name}");
    }
}

#[test]
fn old_and_large_batches_are_refused() {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    let late_s = MIDNIGHT_S + 9 * DAY_S;
    let error = store.append(TENANT, &sent(1, 10).received(), late_s);
    assert!(matches!(error, Err(StoreError::BatchTooOld { .. })));
    let mut large = sent(1, 10).received();
    large.origin.host = "h".repeat(256);
    let error = store.append(TENANT, &large, MIDNIGHT_S);
    assert!(matches!(
        error,
        Err(StoreError::BatchTooLarge {
            bytes: 256,
            max: 255
        })
    ));
}

#[test]
fn days_beyond_the_limits_go_away_and_so_do_their_objects() {
    let disk = Disk::new(Kind::Bucket);
    let mut options = options();
    options.limits.days_kept = 2;
    options.limits.expired_kept_s = 3600;
    let objects: Arc<dyn Objects> = Arc::new(disk.clone());
    let store = Store::open(Location::Objects(objects), options).unwrap();
    let days = [sent(1, 10), sent(2, 24 * 60 + 10), sent(3, 48 * 60 + 10)];
    for batch in days {
        append(&store, batch);
    }
    let now_s = MIDNIGHT_S + 3 * DAY_S + 7200;
    store.compact(now_s).unwrap();
    let all = sums_of(days, Detail::Days);
    assert_eq!(sums_in(&store, Detail::Days), all);
    assert!(store.retain(now_s).unwrap().expired_files > 0);
    let rest = sums_of(days[1..].iter().copied(), Detail::Days);
    assert_eq!(sums_in(&store, Detail::Days), rest);
    // Files stay for a while for questions that still read them, and for a way back.
    let is_there = || {
        let listed = disk.list("").unwrap();
        listed
            .iter()
            .any(|object| object.name.contains("/day=2026-03-01/"))
    };
    assert!(is_there());
    store.retain(now_s + 7200).unwrap();
    assert!(!is_there());
    assert_eq!(sums_in(&store, Detail::Days), rest);
}

#[test]
fn the_oldest_days_go_away_where_there_are_too_many_bytes() {
    let disk = Disk::new(Kind::Bucket);
    let mut options = options();
    options.limits.tenant_bytes = 1;
    let store = Store::open(Location::Objects(Arc::new(disk)), options).unwrap();
    append(&store, sent(1, 10));
    store.compact(MIDNIGHT_S + 7200).unwrap();
    store.retain(MIDNIGHT_S + 7200).unwrap();
    assert_eq!(sums_in(&store, Detail::Days), Sums::new());
}

#[test]
fn batches_that_cannot_be_read_are_kept_aside() {
    let disk = Disk::new(Kind::Bucket);
    let store = open(Arc::new(disk.clone()));
    let mut odd = sent(1, 10).received();
    odd.bytes.truncate(3);
    store.append(TENANT, &odd, MIDNIGHT_S).unwrap();
    append(&store, sent(2, 10));
    let done = store.compact(MIDNIGHT_S + 7200).unwrap();
    assert_eq!((done.batches, done.unreadable), (1, 1));
    let kept = disk.list("acme/unreadable/").unwrap();
    let bytes = disk.get(&kept[0].name).unwrap().unwrap();
    assert_eq!(bytes, odd.bytes);
    let mut expected = Sums::new();
    add_up(&batch(sent(2, 10)), Detail::Whole, &mut expected);
    assert_eq!(sums_in(&store, Detail::Whole), expected);
}

#[test]
fn a_long_life_trims_its_journal_and_forgets_nothing() {
    let disk = Disk::new(Kind::Bucket);
    let store = open(Arc::new(disk.clone()));
    let mut all = Vec::new();
    for day in 0..30 {
        for hour in [1, 5, 9] {
            let batch = sent(day * 3 + hour, (day * 24 + hour) as u32 * 60);
            append(&store, batch);
            append(&store, all.last().copied().unwrap_or(batch));
            all.push(batch);
            let now_s = batch.start_s() + 3600;
            store.compact(now_s).unwrap();
            store.retain(now_s).unwrap();
        }
    }
    let entries = disk.list("acme/journal/").unwrap();
    let first = &entries[0].name;
    assert!(!first.contains("00000000000000000001"), "{first} is kept");
    let expected = sums_of(all.iter().copied(), Detail::Days);
    assert_eq!(sums_in(&store, Detail::Days), expected);
    let again = open(Arc::new(disk));
    assert_eq!(sums_in(&again, Detail::Days), expected);
}
