//! The tables of sums say what those of counts say, of any time and however far they are compacted.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use hone_hub::store::tables::{Kind as Form, Role, Table};
use hone_hub::store::{Location, Part, Query, Store};
use proptest::prelude::*;

use super::fleet::{MIDNIGHT_S, Sent, TENANT, options};
use crate::disk::{Disk, Kind};

const HOUR_US: i64 = 3_600_000_000;
const DAY_MINUTES: u32 = 24 * 60;

/// Values of the columns of sums, by day, service and the key columns of a table of sums.
type Sums = BTreeMap<(String, String, String), Vec<i64>>;

/// Returns what a table says of a time, by the key columns of a table of sums, with times as that one has them.
fn sums(store: &Store, span_s: &Range<u64>, read: Table, by: Table) -> Sums {
    let query = Query {
        services: None,
        span_s: span_s.clone(),
        tables: vec![read],
        merged: &[],
        hosts_apart: Vec::new(),
    };
    let from_us = (span_s.start / 60 * 60) as i64 * 1_000_000;
    let mut sums = Sums::new();
    for part in store.read(TENANT, &query).unwrap() {
        let part = part.unwrap();
        let rows = part.rows(read);
        for row in 0..rows.len() {
            let key = key(&part, read, by, row, from_us);
            let key = (part.day.clone(), part.service.clone(), key);
            let columns = by.columns().iter();
            let columns = columns.filter(|column| column.role == Role::Sum);
            let values = columns.map(|column| rows.longs(column.name)[row]);
            let values: Vec<i64> = values.collect();
            let sum = sums.entry(key).or_insert_with(|| vec![0; values.len()]);
            sum.iter_mut()
                .zip(values)
                .for_each(|(sum, value)| *sum += value);
        }
    }
    sums
}

fn key(part: &Part, read: Table, by: Table, row: usize, from_us: i64) -> String {
    let rows = part.rows(read);
    let keys = by.columns().iter();
    let keys = keys.filter(|column| column.role == Role::Key);
    let values = keys.map(|column| match column.kind {
        Form::Text => part.texts.text(rows.texts(column.name)[row]).to_owned(),
        Form::Int => rows.ints(column.name)[row].to_string(),
        Form::Time if by == Table::Hourly => {
            let time = rows.longs("time")[row];
            // What of the first hour was asked for begins where the asked time begins.
            let hour = time - time.rem_euclid(HOUR_US);
            hour.max(from_us.min(time)).to_string()
        }
        _ => rows.longs(column.name)[row].to_string(),
    });
    values.collect::<Vec<_>>().join("|")
}

/// Checks each table of sums against that of its counts.
pub(crate) fn agree(store: &Store, span_s: &Range<u64>) -> Result<(), TestCaseError> {
    for table in Table::SUMS {
        let expected = sums(store, span_s, table.source().unwrap(), table);
        prop_assert_eq!(sums(store, span_s, table, table), expected, "{:?}", table);
    }
    Ok(())
}

/// A time in minutes after midnight, at a whole hour more often than not.
fn minute() -> impl Strategy<Value = u32> {
    prop_oneof![
        (0..2 * DAY_MINUTES / 60).prop_map(|hour| hour * 60),
        0..2 * DAY_MINUTES
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sums_of_any_time_are_those_of_its_samples(
        minutes in prop::collection::vec(0..2 * DAY_MINUTES, 1..40),
        compactions in prop::collection::vec((0..40_usize, 0..3 * DAY_MINUTES), 0..4),
        hours_kept_days in prop_oneof![Just(0_u64), Just(7)],
        spans in prop::collection::vec((minute(), minute(), 0..60_u64), 4..8),
    ) {
        let mut options = options();
        options.limits.hours_kept_days = hours_kept_days;
        let disk = Disk::new(Kind::Folder);
        let store = Store::open(Location::Objects(Arc::new(disk)), options).unwrap();
        for (number, minute) in minutes.iter().enumerate() {
            let sent = Sent { host: number as u8 % 3, number: number as u64, minute: *minute };
            store.append(TENANT, &sent.received(), sent.start_s() + 120).unwrap();
            for (_, minute) in compactions.iter().filter(|(after, _)| *after == number) {
                store.compact(MIDNIGHT_S + u64::from(*minute) * 60).unwrap();
            }
        }
        for (a, b, seconds) in spans {
            let span_s = u64::from(a.min(b)) * 60..u64::from(a.max(b)) * 60 + seconds;
            agree(&store, &(MIDNIGHT_S + span_s.start..MIDNIGHT_S + span_s.end))?;
        }
        agree(&store, &(0..u64::MAX))?;
    }
}
