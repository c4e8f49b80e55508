//! A series in its canonical form: tags sorted and each key once, all of it in one buffer.

use crate::sample::Kind;
use std::fmt;

/// Kind, metric and tags. Equal if and only if it is the same series. In their order, series with much text in common stand
/// side by side.
///
/// The text is one buffer: the metric, then each key and each value in the order of keys. `ends` says where each
/// of these parts ends, so that `ab=c` and `a=bc` differ.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Series {
    kind: Kind,
    text: Box<str>,
    ends: Box<[u16]>,
}

/// Bytes of metric and tags together.
pub const TEXT_BYTES_MAX: usize = u16::MAX as usize;

impl Series {
    /// A series with these tags, whose keys must be sorted and each there once; `None` if it is too long.
    pub fn new(kind: Kind, metric: &str, tags: &[(&str, &str)]) -> Option<Self> {
        debug_assert!(tags.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let parts =
            std::iter::once(metric).chain(tags.iter().flat_map(|(key, value)| [*key, *value]));
        let length: usize = parts.clone().map(str::len).sum();
        if length > TEXT_BYTES_MAX {
            return None;
        }
        let mut text = String::with_capacity(length);
        let mut ends = Vec::with_capacity(1 + 2 * tags.len());
        for part in parts {
            text.push_str(part);
            ends.push(text.len() as u16);
        }
        Some(Self {
            kind,
            text: text.into(),
            ends: ends.into(),
        })
    }

    /// What its values are.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The metric's name.
    pub fn metric(&self) -> &str {
        self.part(0)
    }

    /// Keys and values, in the order of keys.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        let parts = (1..self.ends.len()).step_by(2);
        parts.map(|part| (self.part(part), self.part(part + 1)))
    }

    /// The value of a tag.
    pub fn tag(&self, key: &str) -> Option<&str> {
        let mut tags = self.tags();
        tags.find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    /// Bytes that it takes.
    pub fn size_bytes(&self) -> usize {
        size_of::<Self>() + self.text.len() + size_of_val(&*self.ends)
    }

    fn part(&self, index: usize) -> &str {
        let start = match index {
            0 => 0,
            _ => usize::from(self.ends[index - 1]),
        };
        &self.text[start..usize::from(self.ends[index])]
    }
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
}
