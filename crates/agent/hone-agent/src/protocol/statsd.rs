//! StatsD and DogStatsD: lines of text.
//!
//! ```text
//! name:value[:value...]|type[|@rate][|#tag,tag][|c:container][|Ttimestamp][|anything else]
//! ```
//!
//! Types are `c`, `g`, `ms`, `h`, `d` and `s`. Tags may also be part of the name, in the forms of Librato, InfluxDB and
//! SignalFx (`name.rs`). In StatsD's own form for several measurements, `name:1|c:2|ms`, the parts are independent.
//! Every value that can be separated from its neighbours is handed on or counted as malformed.
//! `docs/agent/protocol.md` describes which lines are accepted and which are not.

mod fields;
mod name;
mod notice;

pub use notice::{Notice, What, notice};

use self::fields::{Measurement, measurement};
use self::name::{Named, named};
use super::{Parsed, number};
use crate::sample::{Kind, RawSeries, Sample, TagSyntax, Values};
use memchr::memchr;
use std::slice;

/// Hands every sample of a packet to `sink`. A line ends with a newline, with or without a carriage return before it; the
/// last line may also end with the packet. Empty lines are skipped. Events and service checks are dropped.
pub fn parse(packet: &[u8], sink: &mut impl FnMut(Sample<'_>)) -> Parsed {
    parse_with(packet, sink, &mut |_| Passed::Nowhere)
}

/// Outcome of an event or a service check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// Passed on.
    On,
    /// Dropped because the line could not be read.
    Malformed,
    /// Dropped because there is no destination for it.
    Nowhere,
}

/// Hands every sample to `sink` like [`parse`], and the lines of events and service checks to `notices`.
pub fn parse_with(
    packet: &[u8],
    sink: &mut impl FnMut(Sample<'_>),
    notices: &mut dyn FnMut(&[u8]) -> Passed,
) -> Parsed {
    let mut lines = Lines {
        notices,
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

/// State while the lines of a packet are parsed.
struct Lines<'s, Sink> {
    notices: &'s mut dyn FnMut(&[u8]) -> Passed,
    out: Out<'s, Sink>,
    /// Buffer for names with parts on both sides of their tags.
    name: Vec<u8>,
    /// Buffer for the values of lines that have several values.
    numbers: Vec<f64>,
}

impl<Sink: FnMut(Sample<'_>)> Lines<'_, Sink> {
    fn line(&mut self, line: &[u8]) {
        match line.strip_suffix(b"\r").unwrap_or(line) {
            [] => {}
            line @ ([b'_', b'e', b'{', ..] | [b'_', b's', b'c', b'|', ..]) => self.notice(line),
            line => match named(line) {
                Some((named, measurements)) => self.measurements(named, measurements),
                None => self.out.parsed.malformed += 1,
            },
        }
    }

    fn notice(&mut self, line: &[u8]) {
        let passed = (self.notices)(line);
        let parsed = &mut self.out.parsed;
        *match passed {
            Passed::On => &mut parsed.notices,
            Passed::Malformed => &mut parsed.malformed,
            Passed::Nowhere if line.starts_with(b"_e") => &mut parsed.events,
            Passed::Nowhere => &mut parsed.checks,
        } += 1;
    }

    /// Parses the text after the name: one measurement, or several in StatsD's own form.
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
        while let Some(text) = next {
            let measurement = measurement(text);
            self.measured(metric, named.tags, &measurement);
            next = measurement.next;
        }
        self.name = joined;
    }

    /// Hands on the values of one measurement, and counts the malformed values. If a field that the values have in common is
    /// malformed, all values are.
    fn measured(&mut self, metric: &[u8], at_name: Option<&[u8]>, measurement: &Measurement<'_>) {
        let values = measurement.values;
        let Some((fields, (tags, syntax))) = measurement
            .fields
            .and_then(|fields| Some((fields, tags(at_name, fields.tags)?)))
        else {
            self.out.parsed.malformed += split(values).count() as u64;
            return;
        };
        let sample = Sample {
            series: RawSeries {
                kind: fields.kind,
                metric,
                tags,
                syntax,
            },
            values: Values::Numbers(&[]),
            weight: fields.weight,
            time_s: fields.time_s,
            container: fields.container,
        };
        let out = &mut self.out;
        match fields.kind {
            Kind::Set if values.is_empty() => out.parsed.malformed += 1,
            Kind::Set => out.give(&sample, Values::Member(values)),
            Kind::Gauge => {
                for text in split(values) {
                    match (number::finite(text), text) {
                        (None, _) => out.parsed.malformed += 1,
                        (Some(change), [b'+' | b'-', ..]) => {
                            out.give(&sample, Values::Change(change));
                        }
                        (Some(number), _) => {
                            out.give(&sample, Values::Numbers(slice::from_ref(&number)));
                        }
                    }
                }
            }
            _ => {
                let single = number::finite(values);
                let numbers = match &single {
                    Some(number) => slice::from_ref(number),
                    None => {
                        out.parsed.malformed += several(values, &mut self.numbers);
                        &self.numbers
                    }
                };
                if !numbers.is_empty() {
                    out.give(&sample, Values::Numbers(numbers));
                }
            }
        }
    }
}

/// Returns the tags of a measurement, found in the name or after the type; `None` if there are tags in both places.
fn tags<'l>(at_name: Option<&'l [u8]>, behind: Option<&'l [u8]>) -> Option<(&'l [u8], TagSyntax)> {
    match (at_name, behind) {
        (Some(at_name), Some(_)) if at_name.iter().any(|byte| *byte != b',') => None,
        (Some(tags), None) => Some((tags, TagSyntax::Equals)),
        (_, tags) => Some((tags.unwrap_or_default(), TagSyntax::Colons)),
    }
}

/// Destination of samples, and the counts of the lines so far.
struct Out<'s, Sink> {
    sink: &'s mut Sink,
    parsed: Parsed,
}

impl<Sink: FnMut(Sample<'_>)> Out<'_, Sink> {
    /// Hands on a sample with these values.
    fn give<'s>(&mut self, sample: &Sample<'s>, values: Values<'s>) {
        self.parsed.samples += 1;
        self.parsed.values += values.len() as u64;
        (self.sink)(Sample { values, ..*sample });
    }
}

/// Splits the text of values at colons.
fn split(values: &[u8]) -> impl Iterator<Item = &[u8]> {
    values.split(|byte| *byte == b':')
}

/// Parses the values between colons into `numbers`. Returns the number of values that are malformed.
fn several(values: &[u8], numbers: &mut Vec<f64>) -> u64 {
    numbers.clear();
    let mut malformed = 0;
    for text in split(values) {
        match number::finite(text) {
            Some(number) => numbers.push(number),
            None => malformed += 1,
        }
    }
    malformed
}
