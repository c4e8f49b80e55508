//! StatsD and DogStatsD: lines of text.
//!
//! ```text
//! name:value[:value...]|type[|@rate][|#tag,tag][|c:container][|Ttimestamp][|anything else]
//! ```
//!
//! Types are `c`, `g`, `ms`, `h`, `d` and `s`. Tags may also stand at the name, in the ways of Librato, InfluxDB and
//! SignalFx (`name.rs`). In StatsD's own form for several measurements, `name:1|c:2|ms`, the parts are independent.
//! Every value that can be told from its neighbours is given or counted as malformed. `docs/guide/agent-protocol.md` has
//! what is accepted and what is not.

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

/// Hands every sample of a packet to `sink`. Lines end with a newline, with or without a carriage return before it;
/// the last one may also end with the packet. Empty lines are none.
/// Events and service checks go nowhere.
pub fn parse(packet: &[u8], sink: &mut impl FnMut(Sample<'_>)) -> Parsed {
    parse_with(packet, sink, &mut |_| Passed::Nowhere)
}

/// What became of an event or a service check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// It was passed on.
    On,
    /// It could not be read.
    Malformed,
    /// Nobody wants it.
    Nowhere,
}

/// The same, with somebody who takes the lines of events and service checks.
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

/// The lines of a packet on their way.
struct Lines<'s, Sink> {
    notices: &'s mut dyn FnMut(&[u8]) -> Passed,
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
        while let Some(text) = next {
            let measurement = measurement(text);
            self.measured(metric, named.tags, &measurement);
            next = measurement.next;
        }
        self.name = joined;
    }

    /// Gives the values of one measurement, and counts those that are malformed: all of them, if what they have in
    /// common is.
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

/// The tags of a measurement, which stand at the name or behind the type; `None` if there are some in both places.
fn tags<'l>(at_name: Option<&'l [u8]>, behind: Option<&'l [u8]>) -> Option<(&'l [u8], TagSyntax)> {
    match (at_name, behind) {
        (Some(at_name), Some(_)) if at_name.iter().any(|byte| *byte != b',') => None,
        (Some(tags), None) => Some((tags, TagSyntax::Equals)),
        (_, tags) => Some((tags.unwrap_or_default(), TagSyntax::Colons)),
    }
}

/// Where samples go, and what came of the lines so far.
struct Out<'s, Sink> {
    sink: &'s mut Sink,
    parsed: Parsed,
}

impl<Sink: FnMut(Sample<'_>)> Out<'_, Sink> {
    /// A sample with these values.
    fn give<'s>(&mut self, sample: &Sample<'s>, values: Values<'s>) {
        self.parsed.samples += 1;
        self.parsed.values += values.len() as u64;
        (self.sink)(Sample { values, ..*sample });
    }
}

/// The values that colons separate, as text.
fn split(values: &[u8]) -> impl Iterator<Item = &[u8]> {
    values.split(|byte| *byte == b':')
}

/// Puts the values that colons separate into `numbers`. Gives how many of them are none.
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
