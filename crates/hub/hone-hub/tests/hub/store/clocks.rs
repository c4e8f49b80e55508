//! Wrong clocks: what they may not remove, and the way back.

use std::sync::Arc;

use hone_hub::store::clock::{CATCH_UP, Moment};
use hone_hub::store::objects::Objects;
use hone_hub::store::{Location, Options, Store, Why};

use super::fleet::{Detail, MIDNIGHT_S, Sent, Sums, TENANT, batch, options, sums_in, sums_of};
use crate::disk::{Disk, Kind};

const DAY_S: u64 = 86_400;
const DAYS: u32 = 6;
/// Right clock at the end of the days.
const NOW_S: u64 = MIDNIGHT_S + DAYS as u64 * DAY_S;
const WRONG_S: u64 = NOW_S + 401 * DAY_S;

fn opened(disk: &Disk, options: &Options) -> Store {
    let objects: Arc<dyn Objects> = Arc::new(disk.clone());
    Store::open(Location::Objects(objects), options.clone()).unwrap()
}

fn sent_in(days: std::ops::Range<u32>) -> Vec<Sent> {
    days.map(|day| Sent {
        host: 3,
        number: u64::from(day) + 1,
        minute: day * 24 * 60 + 10,
    })
    .collect()
}

/// Does what a hub does in a round, and returns the files that went away.
fn round(store: &Store, now_s: u64, up_s: u64) -> u64 {
    let moment = store.moment(TENANT, now_s, up_s).unwrap();
    store.compact_tenant(TENANT, moment).unwrap();
    store.retain_tenant(TENANT, moment).unwrap().expired_files
}

/// A disk with six days, whose files of hours are kept, of a hub with a right clock.
fn six_days(options: &Options) -> Disk {
    let disk = Disk::new(Kind::Bucket);
    let store = opened(&disk, options);
    for sent in sent_in(0..DAYS) {
        append(&store, sent);
        round(
            &store,
            sent.start_s() + 3700,
            sent.start_s() + 3700 - MIDNIGHT_S,
        );
    }
    round(&store, NOW_S, NOW_S - MIDNIGHT_S);
    disk
}

fn append(store: &Store, sent: Sent) {
    store
        .append(TENANT, &sent.received(), sent.start_s())
        .unwrap();
}

fn usual() -> Options {
    Options::default()
}

#[test]
fn starts_with_a_clock_that_is_far_ahead_remove_nothing_and_keep_the_hosts() {
    let disk = six_days(&usual());
    let whole = sums_of(sent_in(0..DAYS), Detail::Whole);
    assert_eq!(sums_in(&opened(&disk, &usual()), Detail::Whole), whole);
    for _ in 0..3 {
        let store = opened(&disk, &usual());
        for up_s in 0..5 {
            assert_eq!(round(&store, WRONG_S + up_s, up_s), 0);
        }
        assert_eq!(sums_in(&store, Detail::Whole), whole);
    }
    let store = opened(&disk, &usual());
    assert_eq!(round(&store, NOW_S + 60, 0), 0);
    assert_eq!(sums_in(&store, Detail::Whole), whole);
}

/// Copies of a batch may come as long as its run is known.
#[test]
fn a_clock_that_is_far_ahead_ends_no_run() {
    let disk = six_days(&usual());
    let store = opened(&disk, &usual());
    round(&store, WRONG_S, 0);
    round(&store, WRONG_S + 10, 10);
    let last = sent_in(DAYS - 1..DAYS)[0];
    store.append(TENANT, &last.received(), NOW_S).unwrap();
    round(&store, NOW_S + 7200, 20);
    let whole = sums_of(sent_in(0..DAYS), Detail::Whole);
    assert_eq!(sums_in(&store, Detail::Whole), whole);
}

#[test]
fn a_clock_that_is_behind_removes_nothing() {
    let disk = six_days(&usual());
    let store = opened(&disk, &usual());
    for up_s in [0, 60, 120] {
        assert_eq!(round(&store, up_s, up_s), 0);
    }
    let moment = store.moment(TENANT, NOW_S + 200, 200).unwrap();
    assert_eq!(moment.confirmed_s(), NOW_S + 200);
}

#[test]
fn a_store_that_stood_still_catches_up_while_a_hub_runs() {
    let options = Options::default();
    let disk = six_days(&options);
    let store = opened(&disk, &options);
    let later_s = NOW_S + 500 * DAY_S;
    let mut expired = 0;
    let hours = 500 * 24 / CATCH_UP + 2;
    for hour in 0..hours {
        let files = round(&store, later_s + hour * 3600, hour * 3600);
        assert!(
            hour > 0 || files == 0,
            "nothing goes away at the first look"
        );
        expired += files;
    }
    assert!(expired > 0);
    assert_eq!(sums_in(&store, Detail::Whole), Sums::new());
}

/// Before there was such a time, stores knew none.
#[test]
fn an_older_store_begins_with_the_time_of_its_newest_samples() {
    let disk = six_days(&usual());
    disk.delete(&format!("{TENANT}/clock.json")).unwrap();
    let store = opened(&disk, &usual());
    assert_eq!(round(&store, WRONG_S, 0), 0);
    let moment = store.moment(TENANT, WRONG_S, 1).unwrap();
    assert!(moment.confirmed_s() <= NOW_S, "{moment:?}");
    let whole = sums_of(sent_in(0..DAYS), Detail::Whole);
    assert_eq!(sums_in(&store, Detail::Whole), whole);
}

#[test]
fn a_store_that_begins_before_the_time_came_over_the_network_follows_it_at_once() {
    let store = opened(&Disk::new(Kind::Bucket), &usual());
    store.moment(TENANT, 5, 0).unwrap();
    let moment = store.moment(TENANT, NOW_S, 8).unwrap();
    assert_eq!(moment.confirmed_s(), NOW_S);
}

/// A store of which two days are kept, of six of which four went away by their age.
fn with_four_days_gone() -> (Disk, Store) {
    let mut options = options();
    options.limits.days_kept = 3 * DAY_S;
    let disk = six_days(&options);
    options.limits.days_kept = 1;
    let store = opened(&disk, &options);
    let moment = Moment::from(NOW_S);
    let done = store.retain_tenant(TENANT, moment).unwrap();
    let days: Vec<&str> = done.expired_days.iter().map(|day| &*day.day).collect();
    assert_eq!(
        days,
        ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
    );
    assert!(done.expired_days.iter().all(|day| day.why == Why::Old));
    let files: u64 = done.expired_days.iter().map(|day| day.files).sum();
    assert_eq!(files, done.expired_files);
    let rest = sums_of(sent_in(4..DAYS), Detail::Days);
    assert_eq!(sums_in(&store, Detail::Days), rest);
    (disk, store)
}

#[test]
fn days_that_went_away_by_their_age_come_back() {
    let (disk, store) = with_four_days_gone();
    let later = Moment {
        elapsed_s: NOW_S + 6 * DAY_S,
        ..Moment::from(NOW_S)
    };
    store.retain_tenant(TENANT, later).unwrap();
    let trial = store.restore(TENANT, NOW_S, true).unwrap();
    assert_eq!((trial.days.len(), trial.taken.len()), (4, 0));
    let rest = sums_of(sent_in(4..DAYS), Detail::Days);
    assert_eq!(
        sums_in(&store, Detail::Days),
        rest,
        "a trial changes nothing"
    );
    assert_eq!(store.restore(TENANT, NOW_S, false).unwrap(), trial);
    let whole = sums_of(sent_in(0..DAYS), Detail::Days);
    assert_eq!(sums_in(&store, Detail::Days), whole);
    let again = opened(&disk, &options());
    assert_eq!(sums_in(&again, Detail::Days), whole);
    assert_eq!(again.restore(TENANT, NOW_S, false).unwrap().files, 0);
}

#[test]
fn files_that_went_away_by_their_age_are_removed_after_a_hub_has_run_for_a_week() {
    let (disk, store) = with_four_days_gone();
    let is_there = || {
        let listed = disk.list("").unwrap();
        listed
            .iter()
            .any(|object| object.name.contains("/day=2026-03-01/"))
    };
    let after = |elapsed_s| Moment {
        elapsed_s,
        ..Moment::from(NOW_S)
    };
    let week_over_s = NOW_S + 7 * DAY_S;
    store.retain_tenant(TENANT, after(week_over_s)).unwrap();
    assert!(is_there());
    store.retain_tenant(TENANT, after(week_over_s + 1)).unwrap();
    assert!(!is_there());
    assert_eq!(store.restore(TENANT, NOW_S, false).unwrap().files, 0);
}

/// Ids of frames and stacks begin anew in a day that has no files, so the old ones must stay away.
#[test]
fn a_day_that_has_newer_files_does_not_come_back() {
    let (_, store) = with_four_days_gone();
    let late = Sent {
        host: 4,
        number: 99,
        minute: 3 * 24 * 60 + 20,
    };
    append(&store, late);
    store
        .compact_tenant(TENANT, Moment::from(late.start_s() + 7200))
        .unwrap();
    let restored = store.restore(TENANT, NOW_S, false).unwrap();
    assert_eq!(
        restored.days.len(),
        3 + usize::from(has_other_services(late))
    );
    assert!(!restored.taken.is_empty());
    assert!(restored.taken.iter().all(|(day, _)| day == "2026-03-04"));
}

/// True if the day of a batch has services that the batch lacks, which come back.
fn has_other_services(late: Sent) -> bool {
    let services = |sent: Sent| {
        let groups = batch(sent).groups;
        let names = groups.iter().map(|group| group.service.clone());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let old = sent_in(3..4)[0];
    !services(old).is_subset(&services(late))
}
