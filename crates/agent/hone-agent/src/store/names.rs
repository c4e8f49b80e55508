//! Table from raw series to places, by the bytes as they came. Tags are sorted and compared only for new raw forms.

use super::inflow::{One, TOGETHER, Waiting};
use crate::sample::{Kind, RawSeries, TagSyntax};
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;

/// Place of the raw forms that a rule drops.
pub(super) const DROPPED: u32 = u32::MAX;

/// A raw form that was seen before.
#[derive(Debug)]
struct Known {
    hash: u64,
    place: u32,
    kind: Kind,
    syntax: TagSyntax,
    metric_bytes: u16,
    /// Metric and tags in a row.
    text: Box<[u8]>,
}

impl Known {
    fn is(&self, raw: &RawSeries<'_>) -> bool {
        let (metric, tags) = (raw.metric, raw.tags);
        usize::from(self.metric_bytes) == metric.len()
            && self.text.len() == metric.len() + tags.len()
            && self.kind == raw.kind
            && self.syntax == raw.syntax
            && &self.text[..metric.len()] == metric
            && &self.text[metric.len()..] == tags
    }

    fn is_of(&self, one: &One, (text, metric_bytes): (&[u8], usize)) -> bool {
        usize::from(self.metric_bytes) == metric_bytes
            && self.kind == one.kind
            && self.syntax == one.syntax
            && *self.text == *text
    }
}

/// All known raw forms.
///
/// The hash is seeded for each process, so that nobody can make names that collide without seeing the seed.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashTable<Known>,
    hash: RandomState,
    text_bytes: usize,
    /// Hashes of the further raw forms of each place that has several forms.
    further: HashMap<u32, Vec<u64>, RandomState>,
    further_bytes: usize,
}

impl Names {
    /// Returns the hash of a raw form, for [`Self::find`] and [`Self::insert`].
    pub(super) fn hash(&self, raw: &RawSeries<'_>) -> u64 {
        let mut hasher = self.hash.build_hasher();
        let head = [raw.kind as u8, raw.syntax as u8];
        hasher.write_u64(u64::from(u16::from_le_bytes(head)) | (raw.metric.len() as u64) << 16);
        hasher.write(raw.metric);
        hasher.write(raw.tags);
        hasher.finish()
    }

    /// Returns the place of a raw form.
    pub(super) fn find(&self, hash: u64, raw: &RawSeries<'_>) -> Option<u32> {
        self.known
            .find(hash, |known| known.hash == hash && known.is(raw))
            .map(|known| known.place)
    }

    /// Returns the places of the raw forms of waiting samples; `None` for unknown forms. All entries are looked up by their
    /// hashes alone, then all names are loaded, then all names are compared.
    pub(super) fn find_all(&self, waiting: &Waiting) -> [Option<u32>; TOGETHER] {
        let samples = waiting.samples();
        let mut entries = [None; TOGETHER];
        for (entry, one) in entries.iter_mut().zip(samples) {
            *entry = self.known.find(one.form, |known| known.hash == one.form);
        }
        for known in entries.iter().flatten() {
            black_box((known.text.first().copied(), known.text.last().copied()));
        }
        let mut places = [None; TOGETHER];
        for ((place, entry), one) in places.iter_mut().zip(entries).zip(samples) {
            let known = entry.filter(|known| known.is_of(one, waiting.name(one)));
            *place = known.map(|known| known.place);
        }
        places
    }

    /// Remembers a raw form, which must not be known yet. A form that no packet could hold is not remembered.
    pub(super) fn insert(&mut self, hash: u64, raw: &RawSeries<'_>, place: u32) {
        let Ok(metric_bytes) = u16::try_from(raw.metric.len()) else {
            return;
        };
        let text: Box<[u8]> = [raw.metric, raw.tags].concat().into();
        self.text_bytes += text.len();
        let known = Known {
            hash,
            place,
            kind: raw.kind,
            syntax: raw.syntax,
            metric_bytes,
            text,
        };
        self.known.insert_unique(hash, known, |known| known.hash);
    }

    /// Remembers a further raw form of a place that already has a raw form.
    pub(super) fn insert_further(&mut self, hash: u64, raw: &RawSeries<'_>, place: u32) {
        self.insert(hash, raw, place);
        self.further_bytes += raw.metric.len() + raw.tags.len();
        self.further.entry(place).or_default().push(hash);
    }

    /// Returns the number of further raw forms of a place.
    pub(super) fn further(&self, place: u32) -> usize {
        self.further.get(&place).map_or(0, Vec::len)
    }

    /// Forgets the raw forms of a place, the first of which has the hash `first`. Returns the bytes of the further forms.
    pub(super) fn forget(&mut self, first: u64, place: u32) -> usize {
        self.forget_one(first, place);
        self.forget_further(place)
    }

    /// Forgets the further raw forms of a place, and returns their bytes. Forms that a rule drops are all further ones.
    pub(super) fn forget_further(&mut self, place: u32) -> usize {
        let further = self.further.remove(&place).unwrap_or_default();
        let bytes = further.iter().map(|hash| self.forget_one(*hash, place));
        let bytes = bytes.sum();
        self.further_bytes -= bytes;
        bytes
    }

    fn forget_one(&mut self, hash: u64, place: u32) -> usize {
        let is_it = |known: &Known| known.hash == hash && known.place == place;
        let Ok(known) = self.known.find_entry(hash, is_it) else {
            return 0;
        };
        let bytes = known.remove().0.text.len();
        self.text_bytes -= bytes;
        bytes
    }

    /// Returns the bytes of text of all further raw forms.
    pub(super) fn further_bytes(&self) -> usize {
        self.further_bytes
    }

    /// Returns the number of raw forms.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns the bytes of text of all raw forms.
    #[cfg(test)]
    pub(super) fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    /// Returns the bytes of memory in use.
    pub(super) fn size_bytes(&self) -> usize {
        let further = self.further.values().map(|hashes| size_of_val(&**hashes));
        self.known.allocation_size() + self.text_bytes + further.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw<'p>(metric: &'p str, tags: &'p str) -> RawSeries<'p> {
        RawSeries {
            kind: Kind::Counter,
            metric: metric.as_bytes(),
            tags: tags.as_bytes(),
            syntax: TagSyntax::Sdk,
        }
    }

    #[test]
    fn where_the_metric_ends_makes_a_difference() {
        let mut names = Names::default();
        for (place, raw) in [raw("ab", "c=d"), raw("a", "bc=d"), raw("ab", "")]
            .iter()
            .enumerate()
        {
            let hash = names.hash(raw);
            assert_eq!(names.find(hash, raw), None);
            names.insert(hash, raw, place as u32);
        }
        let find = |raw| names.find(names.hash(&raw), &raw);
        assert_eq!(find(raw("ab", "c=d")), Some(0));
        assert_eq!(find(raw("a", "bc=d")), Some(1));
        assert_eq!(find(raw("ab", "")), Some(2));
        let gauge = RawSeries {
            kind: Kind::Gauge,
            ..raw("ab", "")
        };
        assert_eq!(names.find(names.hash(&gauge), &gauge), None);
    }

    #[test]
    fn what_is_forgotten_is_not_found() {
        let mut names = Names::default();
        for place in 0..100 {
            let text = format!("m{place}");
            let raw = raw(&text, "");
            names.insert(names.hash(&raw), &raw, place);
        }
        let form = raw("m4", "a=1|a=1");
        names.insert_further(names.hash(&form), &form, 4);
        assert_eq!((names.len(), names.further(4)), (101, 1));
        for place in (0..100).step_by(2) {
            let text = format!("m{place}");
            let first = names.hash(&raw(&text, ""));
            let further_bytes = if place == 4 { "m4a=1|a=1".len() } else { 0 };
            assert_eq!(names.forget(first, place), further_bytes);
        }
        assert_eq!((names.len(), names.further(4)), (50, 0));
        let find = |raw: RawSeries<'_>| names.find(names.hash(&raw), &raw);
        assert_eq!((find(raw("m4", "")), find(form)), (None, None));
        assert_eq!(find(raw("m5", "")), Some(5));
        assert_eq!(
            names.text_bytes,
            (0..100)
                .filter(|n| n % 2 == 1)
                .map(|n: i32| format!("m{n}").len())
                .sum::<usize>()
        );
    }
}
