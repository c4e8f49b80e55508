//! From a raw series to its place, by the bytes as they came: sorting and comparing tags is for what is new.

use crate::sample::{Kind, RawSeries, TagSyntax};
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// A raw form that was seen before.
#[derive(Debug)]
struct Known {
    hash: u64,
    place: u32,
    kind: Kind,
    syntax: TagSyntax,
    metric_bytes: u16,
    /// Metric and tags, one behind the other.
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
}

/// The raw forms that are known.
///
/// Their hash is seeded for each process, so that nobody can make names that collide without seeing it.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashTable<Known>,
    hash: RandomState,
    text_bytes: usize,
}

impl Names {
    /// The hash of a raw form, for [`Self::find`] and [`Self::insert`].
    pub(super) fn hash(&self, raw: &RawSeries<'_>) -> u64 {
        let mut hasher = self.hash.build_hasher();
        let head = [raw.kind as u8, raw.syntax as u8];
        hasher.write_u64(u64::from(u16::from_le_bytes(head)) | (raw.metric.len() as u64) << 16);
        hasher.write(raw.metric);
        hasher.write(raw.tags);
        hasher.finish()
    }

    /// The place of a raw form.
    pub(super) fn find(&self, hash: u64, raw: &RawSeries<'_>) -> Option<u32> {
        self.known
            .find(hash, |known| known.hash == hash && known.is(raw))
            .map(|known| known.place)
    }

    /// Remembers a raw form, which must not be known. One that no packet could hold is not remembered.
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

    /// Forgets the raw form of a place that has only this one.
    pub(super) fn forget_only(&mut self, hash: u64, place: u32) {
        if let Ok(known) = self.known.find_entry(hash, |known| known.place == place) {
            let (known, _) = known.remove();
            self.text_bytes -= known.text.len();
        }
    }

    /// Forgets the raw forms of places, whatever they are; looks at all that there are.
    pub(super) fn forget(&mut self, is_gone: impl Fn(u32) -> bool) {
        let text_bytes = &mut self.text_bytes;
        self.known.retain(|known| {
            let stays = !is_gone(known.place);
            if !stays {
                *text_bytes -= known.text.len();
            }
            stays
        });
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Bytes of their text.
    pub(super) fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    /// Bytes that they take.
    pub(super) fn size_bytes(&self) -> usize {
        self.known.allocation_size() + self.text_bytes
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
        names.forget(|place| place % 2 == 0);
        assert_eq!(names.len(), 50);
        let find = |text: &str| names.find(names.hash(&raw(text, "")), &raw(text, ""));
        assert_eq!((find("m4"), find("m5")), (None, Some(5)));
        assert_eq!(
            names.text_bytes,
            (0..100)
                .filter(|n| n % 2 == 1)
                .map(|n: i32| format!("m{n}").len())
                .sum()
        );
    }
}
