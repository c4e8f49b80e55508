//! Samples that batches bring to a day, before they are rows: in half of the memory, and sorted without being packed first.

use std::cmp::Ordering;
use std::mem;

use hone_batch::BUCKET_S;
use rustc_hash::FxHashMap;

use super::super::detail::Detail;
use super::super::rows::{Rows, Texts, Values, ranked};
use super::super::tables::{GROUP_NAMES, Table};
use super::super::time::{HOUR_S, Time};

/// Buckets of an hour.
const BUCKETS_OF_HOUR: u32 = (HOUR_S / BUCKET_S) as u32;

/// What many samples have in common: numbers of texts, and bits of branch stacks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Common {
    pub(super) event: u32,
    pub(super) event_branches: i64,
    /// Parts of the group, in the order of [`GROUP_NAMES`].
    pub(super) group: [u32; GROUP_NAMES.len()],
}

impl Common {
    fn compare(&self, other: &Self, texts: &Texts) -> Ordering {
        let text = |a: u32, b: u32| texts.text(a).cmp(texts.text(b));
        let groups = self.group.iter().zip(&other.group);
        let mut groups = groups.map(|(a, b)| text(*a, *b));
        text(self.event, other.event)
            .then(self.event_branches.cmp(&other.event_branches))
            .then_with(|| {
                groups
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
    }
}

/// What ran, when, and how often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Number that [`NewSamples::common`] gave.
    pub(super) common: u32,
    pub(super) stack: i32,
    /// From -1 up to the last but one of 32 bits.
    pub(super) ip_frame: i32,
    pub(super) has_branches: bool,
    /// Bucket of time, as in [`hone_batch::Samples`]: those of all times that the store takes have 32 bits.
    pub(super) bucket: u64,
    pub(super) times: i64,
    pub(super) weight: i64,
}

/// The same in 32 bytes, of which a key tells samples apart.
#[derive(Clone, Copy)]
struct Packed {
    common: u32,
    stack: u32,
    /// The frame, counted from -1, and in the lowest bit whether there are branches.
    ip_and_branches: u32,
    bucket: u32,
    times: i64,
    weight: i64,
}

impl Packed {
    fn key(&self) -> u128 {
        let parts = [self.common, self.stack, self.ip_and_branches, self.bucket];
        parts
            .iter()
            .fold(0, |key, part| key << 32 | u128::from(*part))
    }

    fn ip_frame(&self) -> i32 {
        (self.ip_and_branches >> 1) as i32 - 1
    }

    fn has_branches(&self) -> i32 {
        (self.ip_and_branches & 1) as i32
    }

    fn time(&self) -> i64 {
        Time::micros(u64::from(self.bucket) * BUCKET_S)
    }

    /// Adds another one with the same key. Sums end at the largest 64-bit number.
    fn add(&mut self, other: &Self) {
        self.times = self.times.saturating_add(other.times);
        self.weight = self.weight.saturating_add(other.weight);
    }
}

/// Samples that are no rows yet.
#[derive(Clone, Default)]
pub(super) struct NewSamples {
    commons: Vec<Common>,
    numbers: FxHashMap<Common, u32>,
    samples: Vec<Packed>,
}

impl NewSamples {
    /// Returns how many there are.
    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns the number of what samples have in common, which holds until they are added up or coarsened.
    pub(super) fn common(&mut self, common: Common) -> u32 {
        let next = self.commons.len() as u32;
        let number = *self.numbers.entry(common).or_insert(next);
        if number == next {
            self.commons.push(common);
        }
        number
    }

    /// Adds samples.
    pub(super) fn push(&mut self, sample: Sample) {
        self.samples.push(Packed {
            common: sample.common,
            stack: sample.stack as u32,
            ip_and_branches: ((sample.ip_frame + 1) as u32) << 1 | u32::from(sample.has_branches),
            bucket: sample.bucket as u32,
            times: sample.times,
            weight: sample.weight,
        });
    }

    /// Leaves out what a detail does not have; equal samples are not added up yet.
    pub(super) fn coarsen(&mut self, detail: Detail, texts: &mut Texts) {
        let step = (detail.step_s() / BUCKET_S) as u32;
        for sample in &mut self.samples {
            sample.bucket -= sample.bucket % step;
        }
        self.leave_out(|column| detail.leaves_out(column), texts);
    }

    /// Puts samples in order, and adds up equal ones.
    pub(super) fn add_up(&mut self, texts: &Texts) {
        let commons = mem::take(&mut self.commons);
        let mut order: Vec<u32> = (0..commons.len() as u32).collect();
        order.sort_unstable_by(|a, b| {
            let [a, b] = [a, b].map(|number| &commons[*number as usize]);
            a.compare(b, texts)
        });
        self.numbers.clear();
        for number in &order {
            self.common(commons[*number as usize]);
        }
        self.renumber(&ranked(commons.len(), &order));
        self.samples.sort_unstable_by_key(Packed::key);
        self.samples.dedup_by(|next, kept| {
            let is_same = next.key() == kept.key();
            if is_same {
                kept.add(next);
            }
            is_same
        });
    }

    /// Returns the rows of a table that sums up samples, added up and in order. Those of [`Table::Hourly`] have the begin of their
    /// hour, but none before `from_us` that are not there.
    pub(super) fn summed(&self, table: Table, texts: &mut Texts, from_us: i64) -> Rows {
        let mut summed = self.clone();
        let from = (Time::seconds(from_us) / BUCKET_S) as u32;
        for sample in &mut summed.samples {
            match table {
                Table::Hourly => {
                    let hour = sample.bucket - sample.bucket % BUCKETS_OF_HOUR;
                    sample.bucket = hour.max(from.min(sample.bucket));
                }
                _ => (sample.stack, sample.ip_and_branches) = (0, 0),
            }
        }
        summed.leave_out(|column| table.position(column).is_none(), texts);
        summed.add_up(texts);
        summed.rows(table)
    }

    /// Returns the rows, added up and in order.
    pub(super) fn into_rows(mut self, texts: &Texts) -> Rows {
        self.add_up(texts);
        self.rows(Table::Samples)
    }

    /// Empties parts of groups by the names of their columns.
    fn leave_out(&mut self, is_left_out: impl Fn(&str) -> bool, texts: &mut Texts) {
        let are_left_out = GROUP_NAMES.map(is_left_out);
        if are_left_out.contains(&true) {
            let nobody = texts.number("");
            let before = mem::take(&mut self.commons);
            self.numbers.clear();
            let left = before.into_iter().map(|mut common| {
                for (part, is_left_out) in common.group.iter_mut().zip(are_left_out) {
                    if is_left_out {
                        *part = nobody;
                    }
                }
                self.common(common)
            });
            let numbers: Vec<u32> = left.collect();
            self.renumber(&numbers);
        }
    }

    fn renumber(&mut self, numbers: &[u32]) {
        for sample in &mut self.samples {
            sample.common = numbers[sample.common as usize];
        }
    }

    /// Returns the samples as rows of a table whose columns are some of those of samples.
    fn rows(&self, table: Table) -> Rows {
        let columns = table.columns().iter();
        let columns = columns.map(|column| self.column(column.name));
        Rows::of_columns(table, columns.collect())
    }

    fn column(&self, name: &str) -> Values {
        let samples = self.samples.iter();
        let commons = || {
            let samples = self.samples.iter();
            samples.map(|sample| &self.commons[sample.common as usize])
        };
        match name {
            "event" => Values::Text(commons().map(|common| common.event).collect()),
            "event_branches" => {
                Values::Long(commons().map(|common| common.event_branches).collect())
            }
            "stack" => Values::Int(samples.map(|sample| sample.stack as i32).collect()),
            "ip_frame" => Values::Int(samples.map(Packed::ip_frame).collect()),
            "has_branches" => Values::Int(samples.map(Packed::has_branches).collect()),
            "time" => Values::Long(samples.map(Packed::time).collect()),
            "times" => Values::Long(samples.map(|sample| sample.times).collect()),
            "weight" => Values::Long(samples.map(|sample| sample.weight).collect()),
            part => {
                let part = GROUP_NAMES.iter().position(|column| *column == part);
                let part = part.expect("columns of sums are columns of samples");
                Values::Text(commons().map(|common| common.group[part]).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::limits::TIME_S_MAX;
    use super::super::super::rows::Cell;
    use super::*;
    use proptest::prelude::*;

    const DETAILS: &[Detail] = &[
        Detail::Minutes,
        Detail::Hours,
        Detail::Days,
        Detail::NoHosts,
        Detail::NoContainers,
    ];
    const BUCKETS: [u64; 3] = [0, 29_000_003, TIME_S_MAX / BUCKET_S];

    proptest! {
        #[test]
        fn samples_become_the_rows_that_are_added_up_coarsened_or_summed(
            samples in prop::collection::vec(
                ((0..3_usize, -1..2_i64), prop::array::uniform5(0..3_usize), 0..3_i32, -1..2_i32, any::<bool>(), 0..3_usize, 1..i64::MAX), 0..60
            ),
            detail in prop::sample::select(DETAILS),
            from_us in prop::sample::select(vec![i64::MIN, Time::micros(29_000_001 * BUCKET_S)]),
        ) {
            let mut texts = Texts::default();
            let names = ["b", "", "a"].map(|name| texts.number(name));
            let (mut new, mut rows) = (NewSamples::default(), Rows::new(Table::Samples));
            for ((event, event_branches), group, stack, ip_frame, has_branches, bucket, times) in samples {
                let common = Common { event: names[event], event_branches, group: group.map(|part| names[part]) };
                let number = new.common(common);
                let (bucket, weight) = (BUCKETS[bucket], times / 2);
                // The last of the frames that there can be.
                let ip_frame = if ip_frame == 1 { i32::MAX - 1 } else { ip_frame };
                new.push(Sample { common: number, stack, ip_frame, has_branches, bucket, times, weight });
                let [build, container, host, thread, labels] = common.group.map(Cell::Text);
                rows.push([
                    Cell::Text(common.event), Cell::Long(event_branches), build, container, host, thread, labels, Cell::Int(stack),
                    Cell::Int(ip_frame), Cell::Int(has_branches.into()), Cell::Long(Time::micros(bucket * BUCKET_S)), Cell::Long(times), Cell::Long(weight),
                ]);
            }
            for table in Table::Samples.sums() {
                let summed = rows.summed(table, &texts, from_us);
                prop_assert_eq!(new.summed(table, &mut texts, from_us), summed);
            }
            new.coarsen(detail, &mut texts);
            detail.of_rows(&mut rows, &mut texts);
            rows.add_up(&texts);
            prop_assert_eq!(new.into_rows(&texts), rows);
        }
    }
}
