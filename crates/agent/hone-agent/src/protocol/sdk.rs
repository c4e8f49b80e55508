//! The SDK's protocol: msgpack, read in place.
//!
//! A packet is an array of points, or a single point. A point is an array of strings:
//!
//! ```text
//! [type, metric, value, tags]              or
//! [type, metric, value, tags, timestamp]   in seconds since 1970; an empty one is none
//! ```
//!
//! An array whose first element is a string is a point; any other array is an array of points. A value that is not a point
//! because of its number of elements, their types or their content is malformed. If the value is whole msgpack, the points
//! after it are still read. `docs/agent/protocol.md` is the full description for those who write clients.

use super::Parsed;
use super::msgpack::{Item, Reader};
use super::number;
use crate::sample::{Kind, RawSeries, Sample, TagSyntax, Values};

/// Hands every sample of a packet to `sink`. An empty packet has no samples.
pub fn parse(packet: &[u8], sink: &mut impl FnMut(Sample<'_>)) -> Parsed {
    let mut parsed = Parsed::default();
    let mut reader = Reader::new(packet);
    if points(&mut reader, sink, &mut parsed).is_none() || !reader.rest().is_empty() {
        parsed.malformed += 1;
        parsed.unread_bytes = reader.rest().len() as u64;
    }
    parsed
}

/// Moves the reader to the first point of a packet and returns the number of points. The header of an array of points is
/// skipped; for a single point the reader stays where it is. `None` if the packet is not an array.
pub(super) fn enter(reader: &mut Reader<'_>) -> Option<u32> {
    let mut ahead = *reader;
    let Item::Array(count) = ahead.item()? else {
        return None;
    };
    if count > 0 && ahead.is_at_text() {
        return Some(1);
    }
    *reader = ahead;
    Some(count)
}

/// Reads the points of a packet. `None` if the packet breaks off; the reader is then before the incomplete point.
fn points(
    reader: &mut Reader<'_>,
    sink: &mut impl FnMut(Sample<'_>),
    parsed: &mut Parsed,
) -> Option<()> {
    if reader.rest().is_empty() {
        return Some(());
    }
    let count = enter(reader)?;
    for _ in 0..count {
        let mut ahead = *reader;
        match point(&mut ahead)? {
            Some(sample) => {
                parsed.samples += 1;
                parsed.values += 1;
                sample.give(sink);
            }
            None => parsed.malformed += 1,
        }
        *reader = ahead;
    }
    Some(())
}

/// Content of a point.
struct Point<'p> {
    series: RawSeries<'p>,
    value: Value<'p>,
    time_s: Option<u64>,
}

enum Value<'p> {
    Number(f64),
    Member(&'p [u8]),
}

impl Point<'_> {
    fn give(self, sink: &mut impl FnMut(Sample<'_>)) {
        let number;
        let values = match self.value {
            Value::Number(value) => {
                number = [value];
                Values::Numbers(&number)
            }
            Value::Member(member) => Values::Member(member),
        };
        sink(Sample {
            series: self.series,
            values,
            weight: 1.0,
            time_s: self.time_s,
            container: None,
        });
    }
}

/// Reads one value and returns its point, if it is a point. `None` if the bytes end before the value does.
fn point<'p>(reader: &mut Reader<'p>) -> Option<Option<Point<'p>>> {
    let item = reader.item()?;
    let Item::Array(count @ 4..=5) = item else {
        reader.skip_inside(item)?;
        return Some(None);
    };
    let mut texts: [&[u8]; 5] = [b""; 5];
    let mut are_texts = true;
    for text in &mut texts[..count as usize] {
        match reader.item()? {
            Item::Text(bytes) => *text = bytes,
            other => {
                are_texts = false;
                reader.skip_inside(other)?;
            }
        }
    }
    Some(if are_texts { meaning(texts) } else { None })
}

/// Interprets the strings of a point; `None` if they are malformed.
fn meaning<'p>([kind, metric, value, tags, time]: [&'p [u8]; 5]) -> Option<Point<'p>> {
    let kind = kind_named(kind)?;
    if metric.is_empty() {
        return None;
    }
    let value = match kind {
        Kind::Set if value.is_empty() => return None,
        Kind::Set => Value::Member(value),
        _ => Value::Number(number::finite(value)?),
    };
    let time_s = match time {
        b"" => None,
        time => Some(number::seconds(time)?),
    };
    let series = RawSeries {
        kind,
        metric,
        tags,
        syntax: TagSyntax::Sdk,
    };
    Some(Point {
        series,
        value,
        time_s,
    })
}

/// Returns the kind for a type of the protocol, by its long or short name.
fn kind_named(name: &[u8]) -> Option<Kind> {
    Some(match name {
        b"counter" | b"c" => Kind::Counter,
        b"rate" | b"r" => Kind::Rate,
        b"gauge" | b"store" | b"g" => Kind::Gauge,
        b"timer" | b"t" | b"ms" => Kind::Timer,
        b"histogram" | b"h" => Kind::Histogram,
        b"distribution" | b"d" => Kind::Distribution,
        b"set" | b"s" => Kind::Set,
        _ => return None,
    })
}
