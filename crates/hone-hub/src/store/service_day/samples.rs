//! Samples that batches bring to a day, before they are rows: in half of the memory, and sorted without being packed first.

use std::cmp::Ordering;

use hone_batch::BUCKET_S;
use rustc_hash::FxHashMap;

use super::super::rows::{Rows, Texts, Values, ranked};
use super::super::tables::Table;
use super::super::time::Time;

/// What many samples have in common: numbers of texts, and bits of branch stacks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Common {
    pub(super) event: u32,
    pub(super) event_branches: i64,
    /// Build, container, host, thread and labels.
    pub(super) group: [u32; 5],
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

    /// Adds another one with the same key. Sums end at the largest 64-bit number.
    fn add(&mut self, other: &Self) {
        self.times = self.times.saturating_add(other.times);
        self.weight = self.weight.saturating_add(other.weight);
    }
}

/// Samples that are no rows yet.
#[derive(Default)]
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

    /// Returns the number of what samples have in common.
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

    /// Returns the rows, added up and in order.
    pub(super) fn into_rows(self, texts: &Texts) -> Rows {
        let Self {
            commons,
            mut samples,
            ..
        } = self;
        let mut order: Vec<u32> = (0..commons.len() as u32).collect();
        order.sort_unstable_by(|a, b| {
            let [a, b] = [a, b].map(|number| &commons[*number as usize]);
            a.compare(b, texts)
        });
        let ranks = ranked(commons.len(), &order);
        for sample in &mut samples {
            sample.common = ranks[sample.common as usize];
        }
        samples.sort_unstable_by_key(Packed::key);
        samples.dedup_by(|next, kept| {
            let is_same = next.key() == kept.key();
            if is_same {
                kept.add(next);
            }
            is_same
        });

        let of = |sample: &Packed| &commons[order[sample.common as usize] as usize];
        let ints = |get: fn(&Packed) -> i32| Values::Int(samples.iter().map(get).collect());
        let longs = |get: fn(&Packed) -> i64| Values::Long(samples.iter().map(get).collect());
        let texts = |get: &dyn Fn(&Common) -> u32| {
            Values::Text(samples.iter().map(|sample| get(of(sample))).collect())
        };
        let branches = samples.iter().map(|sample| of(sample).event_branches);
        let mut columns = vec![
            texts(&|common| common.event),
            Values::Long(branches.collect()),
        ];
        columns.extend((0..5).map(|part| texts(&|common| common.group[part])));
        columns.extend([
            ints(|sample| sample.stack as i32),
            ints(|sample| (sample.ip_and_branches >> 1) as i32 - 1),
            ints(|sample| (sample.ip_and_branches & 1) as i32),
            longs(|sample| Time::micros(u64::from(sample.bucket) * BUCKET_S)),
            longs(|sample| sample.times),
            longs(|sample| sample.weight),
        ]);
        Rows::of_columns(Table::Samples, columns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::limits::TIME_S_MAX;
    use super::super::super::rows::Cell;
    use super::*;
    use proptest::prelude::*;

    const BUCKETS: [u64; 3] = [0, 29_000_000, TIME_S_MAX / BUCKET_S];

    proptest! {
        #[test]
        fn samples_become_the_rows_that_are_added_up(
            samples in prop::collection::vec(
                ((0..3_usize, -1..2_i64), prop::array::uniform5(0..3_usize), 0..3_i32, -1..2_i32, any::<bool>(), 0..3_usize, 1..i64::MAX), 0..60
            )
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
            rows.add_up(&texts);
            prop_assert_eq!(new.into_rows(&texts), rows);
        }
    }
}
