//! Samples on their way into a store, a few at a time.
//!
//! With many series, each lookup goes to memory that is in no cache: the table of names, the name, the cell. Samples that are
//! looked up one after the other wait for this memory in turn. Samples that are looked up together, one step for all before
//! the next step for any, wait side by side. Therefore samples are copied here, and looked up when there are enough of them.

use super::rewriting::known;
use super::{Cell, Origin, Place, Store};
use crate::sample::{Kind, RawSeries, Sample, TagSyntax, Values};
use std::hint::black_box;
use std::mem::discriminant;
use std::slice;

/// Number of samples that are looked up together.
pub(super) const TOGETHER: usize = 32;
/// Limit on the text of a waiting sample, in bytes. A longer text is not worth a copy.
const TEXT_BYTES_MAX: usize = 4096;
/// Limit on the numbers of a waiting sample.
const NUMBERS_MAX: usize = 512;

/// Samples that wait to be stored (see the module).
#[derive(Debug, Default)]
pub(super) struct Waiting {
    samples: Vec<One>,
    /// Metric, tags and member of each sample, in a row.
    text: Vec<u8>,
    numbers: Vec<f64>,
}

/// A sample without its text and numbers.
#[derive(Debug)]
pub(super) struct One {
    /// Hash of the sample's raw form.
    pub(super) form: u64,
    pub(super) kind: Kind,
    pub(super) syntax: TagSyntax,
    value: Value,
    /// Start of the sample's text, followed by the lengths of its parts.
    text: u32,
    metric_bytes: u16,
    tags_bytes: u16,
    pub(super) weight: f64,
    pub(super) origin: Origin,
}

/// Measured value, or its position in the buffers.
#[derive(Debug)]
enum Value {
    Number(f64),
    Numbers { start: u16, count: u16 },
    Change(f64),
    Member { bytes: u16 },
}

impl One {
    fn name_bytes(&self) -> usize {
        usize::from(self.metric_bytes) + usize::from(self.tags_bytes)
    }
}

impl Waiting {
    /// Takes a sample. Returns false if there is no room for it.
    pub(super) fn put(&mut self, form: u64, sample: &Sample<'_>, origin: Origin) -> bool {
        let (metric, tags) = (sample.series.metric, sample.series.tags);
        let member_bytes = match sample.values {
            Values::Member(member) => member.len(),
            _ => 0,
        };
        let bytes = metric.len() + tags.len() + member_bytes;
        if self.samples.len() == TOGETHER
            || bytes > TEXT_BYTES_MAX
            || sample.values.len() > NUMBERS_MAX
        {
            return false;
        }
        let text = self.text.len() as u32;
        self.text.extend_from_slice(metric);
        self.text.extend_from_slice(tags);
        let value = self.value(&sample.values);
        self.samples.push(One {
            form,
            kind: sample.series.kind,
            syntax: sample.series.syntax,
            value,
            text,
            metric_bytes: metric.len() as u16,
            tags_bytes: tags.len() as u16,
            weight: sample.weight,
            origin,
        });
        true
    }

    fn value(&mut self, values: &Values<'_>) -> Value {
        match *values {
            Values::Numbers([number]) => Value::Number(*number),
            Values::Numbers(numbers) => {
                let start = self.numbers.len() as u16;
                self.numbers.extend_from_slice(numbers);
                let count = numbers.len() as u16;
                Value::Numbers { start, count }
            }
            Values::Change(change) => Value::Change(change),
            Values::Member(member) => {
                self.text.extend_from_slice(member);
                let bytes = member.len() as u16;
                Value::Member { bytes }
            }
        }
    }

    /// Returns the waiting samples in their order.
    pub(super) fn samples(&self) -> &[One] {
        &self.samples
    }

    /// Returns metric and tags of a waiting sample in a row, and the start of the tags.
    pub(super) fn name(&self, one: &One) -> (&[u8], usize) {
        let text = &self.text[one.text as usize..][..one.name_bytes()];
        (text, usize::from(one.metric_bytes))
    }

    /// Returns the series of a waiting sample.
    pub(super) fn series(&self, one: &One) -> RawSeries<'_> {
        let (name, metric_bytes) = self.name(one);
        let (metric, tags) = name.split_at(metric_bytes);
        RawSeries {
            kind: one.kind,
            metric,
            tags,
            syntax: one.syntax,
        }
    }

    /// Returns the values of a waiting sample.
    pub(super) fn values<'w>(&'w self, one: &'w One) -> Values<'w> {
        match &one.value {
            Value::Number(number) => Values::Numbers(slice::from_ref(number)),
            Value::Numbers { start, count } => {
                Values::Numbers(&self.numbers[usize::from(*start)..][..usize::from(*count)])
            }
            Value::Change(change) => Values::Change(*change),
            Value::Member { bytes } => {
                let start = one.text as usize + one.name_bytes();
                Values::Member(&self.text[start..][..usize::from(*bytes)])
            }
        }
    }

    /// Removes all samples, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.samples.clear();
        self.text.clear();
        self.numbers.clear();
    }
}

impl Store {
    /// Takes a sample. The sample waits for a few others and is stored with them, at the latest at the next swap.
    pub fn take(&mut self, sample: &Sample<'_>, origin: Origin) {
        let form = self.names.hash(&sample.series);
        let mut waits = self.waiting.put(form, sample, origin);
        if !waits {
            self.settle();
            waits = self.waiting.put(form, sample, origin);
        }
        let (raw, values) = (&sample.series, &sample.values);
        if waits {
            self.values_waiting += values.len() as u64;
        } else {
            let place = self.place(form, raw, values.len() as u64, origin);
            self.add(place, raw.kind, values, sample.weight);
        }
    }

    /// Stores the waiting samples. Each step is done for all samples before the next step is done for any, so that the memory
    /// that they need is loaded side by side.
    pub(super) fn settle(&mut self) {
        if self.waiting.samples().is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let places = self.names.find_all(&waiting);
        self.fetch(&places);
        for (one, place) in waiting.samples().iter().zip(places) {
            let values = waiting.values(one);
            let count = values.len() as u64;
            let place = match place {
                Some(place) => known(place),
                // A sample before this one may have made the series known.
                None => self.place(one.form, &waiting.series(one), count, one.origin),
            };
            self.add(place, one.kind, &values, one.weight);
            self.values_waiting -= count;
        }
        waiting.clear();
        self.waiting = waiting;
    }

    /// Loads cells into the cache, and then the memory that they point to.
    fn fetch(&self, places: &[Option<Place>]) {
        let places = places.iter().flatten();
        // Raw forms that a rule drops have no cell.
        let cells = places.filter_map(|place| self.cells.get(*place as usize));
        for cell in cells.clone() {
            black_box(discriminant(cell));
        }
        cells.for_each(Cell::fetch);
    }
}
