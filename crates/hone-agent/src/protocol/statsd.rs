//! StatsD and DogStatsD: lines of text.
//!
//! ```text
//! name:value[:value...]|type[|@rate][|#tag,tag][|c:container][|Ttimestamp][|anything else]
//! ```
//!
//! Types are `c`, `g`, `ms`, `h`, `d` and `s`. Tags may also stand at the name, in the ways of Librato, InfluxDB and
//! SignalFx (`name.rs`). A line is malformed as a whole or not at all, except in StatsD's own form for several
//! measurements, `name:1|c:2|ms`, whose parts are independent. `docs/guide/agent-protocol.md` has what is accepted and
//! what is not.

mod fields;
mod name;

use self::fields::{Fields, fields};
use self::name::{Named, named};
use super::{Parsed, number};
use crate::sample::{Kind, RawSeries, Sample, TagSyntax, Values};
use memchr::memchr;
use std::slice;

/// Hands every sample of a packet to `sink`. Lines end with a newline, with or without a carriage return before it;
/// the last one may also end with the packet. Empty lines are none.
pub fn parse(packet: &[u8], sink: &mut impl FnMut(Sample<'_>)) -> Parsed {
    let mut lines = Lines {
        out: Out {
            sink,
            parsed: Parsed::default(),
        },
        name: Vec::new(),
        numbers: Vec::new(),
    };
    let mut rest = packet;
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        lines.line(&rest[..end]);
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    lines.out.parsed
}

/// The lines of a packet on their way.
struct Lines<'s, Sink> {
    out: Out<'s, Sink>,
    /// Room for names that stand on both sides of their tags.
    name: Vec<u8>,
    /// Room for the values of lines that have several.
    numbers: Vec<f64>,
}

impl<Sink: FnMut(Sample<'_>)> Lines<'_, Sink> {
    fn line(&mut self, line: &[u8]) {
        match line.strip_suffix(b"\r").unwrap_or(line) {
            [] => {}
            [b'_', b'e', b'{', ..] => self.out.parsed.events += 1,
            [b'_', b's', b'c', b'|', ..] => self.out.parsed.checks += 1,
            line => match named(line) {
                Some((named, measurements)) => self.measurements(named, measurements),
                None => self.out.parsed.malformed += 1,
            },
        }
    }

    /// What stands behind the name: one measurement, or several of StatsD's own form.
    fn measurements(&mut self, named: Named<'_>, measurements: &[u8]) {
        let mut joined = std::mem::take(&mut self.name);
        let metric = match named.behind_tags {
            [] => named.metric,
            behind => {
                joined.clear();
                joined.extend_from_slice(named.metric);
                joined.extend_from_slice(behind);
                &joined
            }
        };
        let mut next = Some(measurements);
        while let Some(measurement) = next {
            let (fields, behind) = fields(measurement);
            let given = fields.and_then(|fields| self.measured(metric, named.tags, &fields));
            self.out.parsed.malformed += u64::from(given.is_none());
            next = behind;
        }
        self.name = joined;
    }

    /// Gives what one measurement says; `None`, and nothing given, if any of it is malformed.
    fn measured(
        &mut self,
        metric: &[u8],
        at_name: Option<&[u8]>,
        fields: &Fields<'_>,
    ) -> Option<()> {
        let (tags, syntax) = match (at_name, fields.tags) {
            (Some(_), Some(_)) => return None,
            (Some(tags), None) => (tags, TagSyntax::Equals),
            (None, tags) => (tags.unwrap_or_default(), TagSyntax::Colons),
        };
        let sample = |values| Sample {
            series: RawSeries {
                kind: fields.kind,
                metric,
                tags,
                syntax,
            },
            values,
            weight: fields.weight,
            time_s: fields.time_s,
            container: fields.container,
        };
        if fields.kind == Kind::Set {
            let is_there = !fields.values.is_empty();
            return is_there.then(|| self.out.give(sample(Values::Member(fields.values))));
        }
        let single;
        let numbers = match number::finite(fields.values) {
            Some(number) => {
                single = [number];
                &single[..]
            }
            None => several(fields.values, &mut self.numbers)?,
        };
        if fields.kind != Kind::Gauge {
            self.out.give(sample(Values::Numbers(numbers)));
            return Some(());
        }
        for (text, number) in split(fields.values).zip(numbers) {
            self.out.give(sample(match text {
                [b'+' | b'-', ..] => Values::Change(*number),
                _ => Values::Numbers(slice::from_ref(number)),
            }));
        }
        Some(())
    }
}

/// Where samples go, and what came of the lines so far.
struct Out<'s, Sink> {
    sink: &'s mut Sink,
    parsed: Parsed,
}

impl<Sink: FnMut(Sample<'_>)> Out<'_, Sink> {
    fn give(&mut self, sample: Sample<'_>) {
        self.parsed.samples += 1;
        self.parsed.values += match sample.values {
            Values::Numbers(numbers) => numbers.len() as u64,
            Values::Change(_) | Values::Member(_) => 1,
        };
        (self.sink)(sample);
    }
}

/// The values that colons separate, as text.
fn split(values: &[u8]) -> impl Iterator<Item = &[u8]> {
    values.split(|byte| *byte == b':')
}

/// The values that colons separate; `None` if one of them is no number.
fn several<'n>(values: &[u8], numbers: &'n mut Vec<f64>) -> Option<&'n [f64]> {
    numbers.clear();
    for text in split(values) {
        numbers.push(number::finite(text)?);
    }
    Some(numbers)
}
