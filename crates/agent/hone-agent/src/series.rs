//! A series in its canonical form: tags sorted, each key only once, and all text in one buffer.

use crate::sample::Kind;
use std::fmt;

/// Kind, metric and tags. Two values are equal if and only if they are the same series. In sorted order, series with
/// much text in common are side by side.
///
/// The text is one buffer: the metric, then each key and each value in the order of keys, and last the length of each
/// of these parts, so that `ab=c` and `a=bc` differ. A length is written as the character of that number, which takes
/// nearly always one byte and keeps the whole buffer text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Series {
    kind: Kind,
    text: Box<str>,
    /// Position where the lengths begin.
    parts_bytes: u16,
}

/// Limit on bytes of metric and tags together.
pub const TEXT_BYTES_MAX: usize = u16::MAX as usize;

/// First of the numbers that are no characters, and how many there are: lengths from the first on are shifted by their
/// count.
const SURROGATES: u32 = 0xd800;
const SURROGATES_COUNT: u32 = 0x800;

impl Series {
    /// Returns a series with these tags, whose keys must be sorted and unique; `None` if the series is too long.
    pub fn new(kind: Kind, metric: &str, tags: &[(&str, &str)]) -> Option<Self> {
        debug_assert!(tags.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let parts =
            std::iter::once(metric).chain(tags.iter().flat_map(|(key, value)| [*key, *value]));
        let length: usize = parts.clone().map(str::len).sum();
        let parts_bytes = u16::try_from(length).ok()?;
        // No part is longer than all parts together.
        let lengths = parts.clone().map(|part| written(part.len() as u16));
        let lengths_bytes: usize = lengths.clone().map(char::len_utf8).sum();
        let mut text = String::with_capacity(length + lengths_bytes);
        text.extend(parts);
        text.extend(lengths);
        Some(Self {
            kind,
            text: text.into(),
            parts_bytes,
        })
    }

    /// Kind of the values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The metric's name.
    pub fn metric(&self) -> &str {
        self.parts().next().unwrap_or_default()
    }

    /// Keys and values, in the order of keys.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut parts = self.parts().skip(1);
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }

    /// The value of a tag.
    pub fn tag(&self, key: &str) -> Option<&str> {
        let mut tags = self.tags();
        tags.find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    /// Number of bytes that the series takes.
    pub fn size_bytes(&self) -> usize {
        size_of::<Self>() + self.text.len()
    }

    /// The metric, then keys and values in turn.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let (mut rest, lengths) = self.text.split_at(usize::from(self.parts_bytes));
        lengths.chars().map(move |length| {
            let (part, behind) = rest.split_at(read(length));
            rest = behind;
            part
        })
    }
}

/// Encodes a length as a character.
fn written(length: u16) -> char {
    let number = match u32::from(length) {
        number @ 0..SURROGATES => number,
        number => number + SURROGATES_COUNT,
    };
    char::from_u32(number).expect("no surrogate, and below 0x110000")
}

/// Decodes a length.
fn read(length: char) -> usize {
    let length = match u32::from(length) {
        number @ 0..SURROGATES => number,
        number => number - SURROGATES_COUNT,
    };
    length as usize
}

impl fmt::Debug for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.kind, self.metric())?;
        f.debug_map().entries(self.tags()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_key_ends_makes_a_difference() {
        let series = |tags| Series::new(Kind::Counter, "m", tags).unwrap();
        assert_ne!(series(&[("ab", "c")]), series(&[("a", "bc")]));
        assert_ne!(
            Series::new(Kind::Counter, "mab", &[("c", "")]),
            Series::new(Kind::Counter, "m", &[("ab", "c")])
        );
        assert_eq!(series(&[("a", "b")]), series(&[("a", "b")]));
        assert_eq!(series(&[("a", "b"), ("c", "")]).tags().count(), 2);
        assert_eq!(series(&[("a", "b"), ("c", "d")]).tag("c"), Some("d"));
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let long = "x".repeat(TEXT_BYTES_MAX);
        assert!(Series::new(Kind::Gauge, &long, &[]).is_some());
        assert!(Series::new(Kind::Gauge, &long, &[("a", "")]).is_none());
    }

    #[test]
    fn parts_of_every_length_come_back() {
        let long = "x".repeat(TEXT_BYTES_MAX);
        let around = [0, 1, 0x7f, 0x80, 0x7ff, 0x800];
        let surrogates = [0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfffc];
        for length in around.into_iter().chain(surrogates) {
            let tags = [("a", &long[..length]), ("\u{e9}", "")];
            let short = &long[..TEXT_BYTES_MAX - 3 - length];
            for metric in ["", short] {
                let series = Series::new(Kind::Set, metric, &tags).unwrap();
                assert_eq!(series.metric(), metric);
                assert!(series.tags().eq(tags), "{length}");
            }
        }
    }
}
