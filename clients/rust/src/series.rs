//! A series as the bytes that all of its points share: those before the value, and those after it.

use std::error::Error;
use std::fmt;

/// Limits of the agent (`docs/agent/protocol.md`).
const METRIC_BYTES_MAX: usize = 512;
const TAGS_BYTES_MAX: usize = 4096;
const TAGS_MAX: usize = 64;

/// Kind of the numbers of a metric. Members of sets are texts and have their own calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Counter: samples are added up, and the sum since the start is reported.
    Counter,
    /// Rate: samples are added up, and the sum per second is reported.
    Rate,
    /// Gauge: the last value is reported.
    Gauge,
    /// Timer: durations in milliseconds.
    Timer,
    /// Histogram: values in exponential buckets.
    Histogram,
    /// Distribution: values whose quantiles are known within 1 %.
    Distribution,
}

impl Kind {
    pub(crate) fn letter(self) -> u8 {
        match self {
            Self::Counter => b'c',
            Self::Rate => b'r',
            Self::Gauge => b'g',
            Self::Timer => b't',
            Self::Histogram => b'h',
            Self::Distribution => b'd',
        }
    }
}

/// The letter of sets.
pub(crate) const SET: u8 = b's';

/// Reason why the protocol cannot carry a series.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refused {
    /// No name.
    NoMetric,
    /// A name of more than 512 bytes.
    LongMetric,
    /// More than 64 tags.
    ManyTags,
    /// More than 4,096 bytes of tags.
    LongTags,
    /// A tag without a key.
    NoKey,
    /// A space or `|` in a tag, or `=` in its key: these characters would end the tag or the key.
    Separator,
    /// A control character in the name or a tag.
    ControlCharacter,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMetric => "the metric has no name",
            Self::LongMetric => "the metric's name is longer than 512 bytes",
            Self::ManyTags => "there are more than 64 tags",
            Self::LongTags => "the tags are longer than 4096 bytes",
            Self::NoKey => "a tag has no key",
            Self::Separator => "a tag has a space or '|' in it, or its key has '='",
            Self::ControlCharacter => "the name or a tag has a control character",
        })
    }
}

impl Error for Refused {}

/// The bytes of every point of a series, without the value.
#[derive(Default, Debug)]
pub(crate) struct Series {
    bytes: Vec<u8>,
    /// Place of the value between the bytes.
    split: usize,
    /// Hash of the metric's name, for series whose samples must stay in their order.
    pub(crate) hash: u64,
    pub(crate) keeps_order: bool,
}

impl Series {
    /// Replaces the content of the series and reuses its memory, so that ad hoc samples need no memory of their own.
    pub(crate) fn set(
        &mut self,
        letter: u8,
        metric: &str,
        tags: &[(&str, &str)],
    ) -> Result<(), Refused> {
        check(metric, tags)?;
        self.bytes.clear();
        // An array of four strings: type, metric, value, tags.
        self.bytes.extend([0x94, 0xa1, letter]);
        self.bytes.extend(TextHead::of(metric.len()).bytes());
        self.bytes.extend(metric.as_bytes());
        self.split = self.bytes.len();
        let length: usize = tags
            .iter()
            .map(|(key, value)| key.len() + value.len() + 2)
            .sum();
        self.bytes
            .extend(TextHead::of(length.saturating_sub(1)).bytes());
        for (number, (key, value)) in tags.iter().enumerate() {
            if number > 0 {
                self.bytes.push(b'|');
            }
            self.bytes.extend(key.as_bytes());
            self.bytes.push(b'=');
            self.bytes.extend(value.as_bytes());
        }
        self.keeps_order = letter == Kind::Gauge.letter();
        self.hash = if self.keeps_order {
            fnv(metric.as_bytes())
        } else {
            0
        };
        Ok(())
    }

    pub(crate) fn new(letter: u8, metric: &str, tags: &[(&str, &str)]) -> Result<Self, Refused> {
        let mut series = Self::default();
        series.set(letter, metric, tags)?;
        series.bytes.shrink_to_fit();
        Ok(series)
    }

    pub(crate) fn before_value(&self) -> &[u8] {
        &self.bytes[..self.split]
    }

    pub(crate) fn behind_value(&self) -> &[u8] {
        &self.bytes[self.split..]
    }
}

/// The head of a msgpack string.
pub(crate) struct TextHead {
    bytes: [u8; 5],
    length: usize,
}

impl TextHead {
    pub(crate) fn of(length: usize) -> Self {
        let mut bytes = [0; 5];
        let length = match length {
            0..32 => {
                bytes[0] = 0xa0 | length as u8;
                1
            }
            32..0x100 => {
                bytes[..2].copy_from_slice(&[0xd9, length as u8]);
                2
            }
            0x100..0x1_0000 => {
                bytes[0] = 0xda;
                bytes[1..3].copy_from_slice(&(length as u16).to_be_bytes());
                3
            }
            // Longer than every packet; such a text is refused for its length.
            _ => {
                bytes[0] = 0xdb;
                bytes[1..]
                    .copy_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
                5
            }
        };
        Self { bytes, length }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

fn check(metric: &str, tags: &[(&str, &str)]) -> Result<(), Refused> {
    match metric.len() {
        0 => return Err(Refused::NoMetric),
        1..=METRIC_BYTES_MAX => {}
        _ => return Err(Refused::LongMetric),
    }
    if tags.len() > TAGS_MAX {
        return Err(Refused::ManyTags);
    }
    let mut length = tags.len().saturating_sub(1);
    for (key, value) in tags {
        length = length.saturating_add(key.len() + value.len() + 1);
        if key.is_empty() {
            return Err(Refused::NoKey);
        }
    }
    if length > TAGS_BYTES_MAX {
        return Err(Refused::LongTags);
    }
    plain(metric, 0)?;
    tags.iter().try_for_each(|(key, value)| {
        plain(key, ENDS_TAG | ENDS_KEY)?;
        plain(value, ENDS_TAG)
    })
}

/// Classes of bytes that are not allowed in names, tags or keys.
const CONTROL: u8 = 1;
const ENDS_TAG: u8 = 2;
const ENDS_KEY: u8 = 4;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut control = 0;
    while control < b' ' {
        classes[control as usize] = CONTROL;
        control += 1;
    }
    classes[0x7f] = CONTROL;
    classes[b' ' as usize] = ENDS_TAG;
    classes[b'|' as usize] = ENDS_TAG;
    classes[b'=' as usize] = ENDS_KEY;
    classes
};

fn plain(text: &str, separators: u8) -> Result<(), Refused> {
    let found = text
        .bytes()
        .fold(0, |found, byte| found | CLASSES[usize::from(byte)]);
    if found & separators != 0 {
        Err(Refused::Separator)
    } else if found & CONTROL != 0 {
        Err(Refused::ControlCharacter)
    } else {
        Ok(())
    }
}

/// FNV-1a of 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(metric: &str, tags: &[(&str, &str)]) -> Option<Refused> {
        Series::new(b'c', metric, tags).err()
    }

    #[test]
    fn what_the_protocol_cannot_carry_is_refused_by_reason() {
        let long = "m".repeat(513);
        assert_eq!(refused("", &[]), Some(Refused::NoMetric));
        assert_eq!(refused(&long, &[]), Some(Refused::LongMetric));
        assert_eq!(refused(&long[1..], &[]), None);
        assert_eq!(refused("m", &[("k", "v"); 65]), Some(Refused::ManyTags));
        assert_eq!(refused("m", &[("k", "v"); 64]), None);
        let value = "v".repeat(4094);
        assert_eq!(refused("m", &[("k", &value)]), None);
        assert_eq!(refused("m", &[("kk", &value)]), Some(Refused::LongTags));
        assert_eq!(refused("m", &[("", "v")]), Some(Refused::NoKey));
        for tag in [
            ("k|", "v"),
            ("k k", "v"),
            ("k=", "v"),
            ("k", "a|b"),
            ("k", "a b"),
        ] {
            assert_eq!(refused("m", &[tag]), Some(Refused::Separator), "{tag:?}");
        }
        assert_eq!(refused("m", &[("k", "a=b")]), None);
        assert_eq!(refused("m\n", &[]), Some(Refused::ControlCharacter));
        assert_eq!(
            refused("m", &[("k", "\x7f")]),
            Some(Refused::ControlCharacter)
        );
    }

    #[test]
    fn names_and_tags_stand_around_the_value() {
        let series = Series::new(b'g', "load", &[("host", "a"), ("role", "")]).unwrap();
        assert_eq!(series.before_value(), b"\x94\xa1g\xa4load");
        assert_eq!(series.behind_value(), b"\xachost=a|role=");
        assert!(series.keeps_order);
        let series = Series::new(b'c', "m", &[]).unwrap();
        assert_eq!(series.behind_value(), b"\xa0");
    }

    #[test]
    fn heads_grow_with_their_text() {
        for (length, head) in [
            (31, vec![0xbf]),
            (32, vec![0xd9, 32]),
            (255, vec![0xd9, 255]),
            (256, vec![0xda, 1, 0]),
            (65_536, vec![0xdb, 0, 1, 0, 0]),
        ] {
            assert_eq!(TextHead::of(length).bytes(), head);
        }
    }
}
