//! What each host weighs in a profile: sums of its samples and records, which need no stacks.

use std::ops::Range;

use hone_batch::{
    Batch, BinaryIndex, EventIndex, Frame, FrameIndex, Group, GroupField, GroupIndex, NameIndex,
    Place, PlaceIndex, Records, Samples,
};
use hone_profile::{Binary, BinaryKind, BranchStacks, Event};
use rustc_hash::FxHashMap;

use super::{Dated, Wanted, kept};
use crate::question::NoAnswer;
use crate::store::tables::Table;
use crate::store::time::{DAY_S, Time, start_of};
use crate::store::{Detail, Part, Query, Rows, Store};

/// Name of the event, the file and the function that samples have in sums.
const SUM: &str = "[sum]";

/// Returns the sums for each batch, and gives both the time from the first minute of the step that has samples to the last.
pub(super) fn of_hosts(
    store: &Store,
    tenant: &str,
    wanted: &Wanted<'_>,
    dated: &mut [Dated],
) -> Result<Vec<Batch>, NoAnswer> {
    let (Some(first), Some(last)) = (dated.first(), dated.last()) else {
        return Ok(Vec::new());
    };
    let query = Query {
        services: wanted.services(),
        span_s: first.step_s.start..last.step_s.end,
        tables: vec![Table::Totals, Table::Records],
        merged: &[GroupField::Container, GroupField::Thread],
        hosts_apart: Vec::new(),
    };
    let mut sums: Vec<Sums> = dated.iter().map(|_| Sums::default()).collect();
    let mut parts = store.read_within(tenant, &query, wanted.limit(Detail::Minutes))?;
    while let Some(part) = parts.next() {
        let part = part?;
        let length_s = parts.detail().step_s();
        let day_s = start_of(&part.day).unwrap_or(0);
        let of_day = |dated: &Dated| dated.step_s.start / DAY_S * DAY_S == day_s;
        let steps = sums.iter_mut().zip(dated.iter());
        for (sums, dated) in steps.filter(|(_, dated)| of_day(dated)) {
            sums.add(&part, &dated.step_s, length_s, wanted);
        }
    }
    for (sums, dated) in sums.iter().zip(dated.iter_mut()) {
        // Branches are told apart by hours alone, and so may stand where no samples are.
        dated.batch.span_s = sums.span_s.clone().unwrap_or(dated.step_s.clone());
    }
    let batches = sums.into_iter().zip(dated);
    Ok(batches
        .map(|(sums, dated)| sums.into_batch(dated.batch.span_s.clone()))
        .collect())
}

/// Sums of a step of time by group.
#[derive(Default)]
struct Sums {
    numbers: FxHashMap<Group, usize>,
    /// Samples, their weight, samples with branch records, and these records.
    counts: Vec<[u64; 4]>,
    /// Time of the samples.
    span_s: Option<Range<u64>>,
}

impl Sums {
    /// Adds what a day has in the step; each time is of so many seconds.
    fn add(&mut self, part: &Part, step_s: &Range<u64>, length_s: u64, wanted: &Wanted<'_>) {
        let times = part.rows(Table::Totals).longs("time").iter();
        let times_s = times.map(|time| Time::seconds(*time));
        let in_step = times_s.filter(|time_s| step_s.contains(time_s));
        if let Some((first_s, last_s)) = in_step.clone().min().zip(in_step.max()) {
            let end_s = last_s.saturating_add(length_s);
            let span_s = self.span_s.get_or_insert(first_s..end_s);
            *span_s = span_s.start.min(first_s)..span_s.end.max(end_s);
        }
        let tables = [
            (Table::Totals, [("times", 0), ("weight", 1)]),
            (Table::Records, [("samples", 2), ("branches", 3)]),
        ];
        for (table, columns) in tables {
            let rows = part.rows(table);
            let groups = self.groups(part, rows, step_s, wanted);
            for (column, at) in columns {
                for (row, group) in &groups {
                    let sum = &mut self.counts[*group][at];
                    *sum = sum.saturating_add(rows.longs(column)[*row] as u64);
                }
            }
        }
    }

    /// Returns the rows in the step with the numbers of their groups.
    fn groups(
        &mut self,
        part: &Part,
        rows: &Rows,
        step_s: &Range<u64>,
        wanted: &Wanted<'_>,
    ) -> Vec<(usize, usize)> {
        let texts = ["build", "host", "labels"].map(|column| rows.texts(column));
        let mut known: FxHashMap<[u32; 3], usize> = FxHashMap::default();
        let times = rows.longs("time").iter().enumerate();
        let in_step = times.filter(|(_, time)| step_s.contains(&Time::seconds(**time)));
        in_step
            .map(|(row, _)| {
                let group = known.entry(texts.map(|texts| texts[row]));
                let group = group.or_insert_with(|| {
                    let next = self.counts.len();
                    let group = kept(part.group_of(rows, row), wanted.label);
                    let number = *self.numbers.entry(group).or_insert(next);
                    if number == next {
                        self.counts.push([0; 4]);
                    }
                    number
                });
                (row, *group)
            })
            .collect()
    }

    fn into_batch(self, span_s: Range<u64>) -> Batch {
        let mut numbered: Vec<(Group, usize)> = self.numbers.into_iter().collect();
        numbered.sort_unstable();
        let mut batch = Batch {
            span_s,
            events: vec![Event {
                name: SUM.to_owned(),
                branches: BranchStacks::None,
            }],
            binaries: vec![Binary {
                path: SUM.to_owned(),
                build_id: None,
                kind: BinaryKind::Anonymous,
            }],
            names: vec![SUM.to_owned()],
            places: vec![Place::Named {
                binary: BinaryIndex(0),
                name: NameIndex(0),
            }],
            frames: vec![Frame {
                place: PlaceIndex(0),
                caller: None,
            }],
            ..Batch::default()
        };
        for ((group, number), index) in numbered.into_iter().zip(0..) {
            let [times, weight, samples, branches] = self.counts[number];
            let (event, of) = (EventIndex(0), GroupIndex(index));
            batch.groups.push(group);
            batch.samples.push(Samples {
                event,
                group: of,
                stack: FrameIndex(0),
                ip: None,
                is_leaf_only: true,
                has_branches: false,
                bucket: batch.span_s.start / hone_batch::BUCKET_S,
                times,
                weight,
            });
            batch.records.push(Records {
                event,
                group: of,
                samples,
                branches,
                repeated: 0,
            });
        }
        batch
    }
}
