//! One point in the relay's format: the values that its interval added, so that the receiver can add them to others.
//!
//! | kind | values |
//! |---|---|
//! | counter | growth in the interval |
//! | rate, gauge | the value |
//! | timer, histogram, distribution | count, sum, smallest, largest, weight of zero, bins above zero, bins below |
//! | set | its hashes or registers, as bytes |
//!
//! Bins are an array in which two numbers alternate: the distance from the bin before (the first from zero), and the
//! weight.

use super::tags::{self, is_clean};
use crate::aggregate::{Aggregate, Buckets, Point, Summary};
use crate::limits::{METRIC_BYTES_MAX, RELAYED_BINS_MAX};
use crate::sample::{Kind, RawSeries, TagSyntax};
use crate::store::bins::{SignedBins, WEIGHT_MAX};
use crate::store::cardinality::Distinct;
use crate::store::{Cell, Relayed, Spread};
use crate::wire::msgpack::{self, Malformed, Reader};

/// Kinds, indexed by their number on the wire.
const KINDS: [Kind; 7] = [
    Kind::Counter,
    Kind::Rate,
    Kind::Gauge,
    Kind::Timer,
    Kind::Histogram,
    Kind::Distribution,
    Kind::Set,
];
/// Number of fields for kind, metric and tags.
const HEAD_FIELDS: usize = 3;
/// Number of fields for the values of a spread.
const SPREAD_FIELDS: usize = 7;

pub(super) fn write(out: &mut Vec<u8>, point: &Point, labels: &[(&str, &str)]) {
    let (kind, fields) = match &point.value {
        Aggregate::Counter { .. } => (Kind::Counter, 1),
        Aggregate::Rate(_) => (Kind::Rate, 1),
        Aggregate::Gauge(_) => (Kind::Gauge, 1),
        Aggregate::Set(_) => (Kind::Set, 1),
        Aggregate::Timer(..) => (Kind::Timer, SPREAD_FIELDS),
        Aggregate::Histogram(..) => (Kind::Histogram, SPREAD_FIELDS),
        Aggregate::Distribution(..) => (Kind::Distribution, SPREAD_FIELDS),
    };
    msgpack::array(out, HEAD_FIELDS + fields);
    let number = KINDS.iter().position(|known| *known == kind);
    msgpack::uint(out, number.expect("all kinds are listed") as u64);
    msgpack::string(out, point.series.metric());
    tags::write(out, &point.series, labels);
    match &point.value {
        Aggregate::Counter { delta, .. } => msgpack::float(out, *delta),
        Aggregate::Rate(value) | Aggregate::Gauge(value) => msgpack::float(out, *value),
        Aggregate::Set(set) => msgpack::bytes(out, &set.bytes()),
        Aggregate::Timer(summary, buckets)
        | Aggregate::Histogram(summary, buckets)
        | Aggregate::Distribution(summary, buckets) => write_spread(out, summary, buckets),
    }
}

fn write_spread(out: &mut Vec<u8>, summary: &Summary, buckets: &Buckets) {
    for value in [summary.count, summary.sum, summary.min, summary.max] {
        msgpack::float(out, value);
    }
    msgpack::float(out, buckets.zero);
    for side in [&buckets.positive, &buckets.negative] {
        msgpack::array(out, 2 * side.len());
        // Neighbouring bins differ by little.
        let mut before = 0;
        for (bin, weight) in side {
            msgpack::int(out, i64::from(*bin) - before);
            msgpack::float(out, *weight);
            before = i64::from(*bin);
        }
    }
}

/// Facts about a frame that its points need.
pub(super) struct Interval {
    /// End of the interval, in milliseconds since 1970.
    pub(super) end_ms: i64,
    /// Length of the interval, in milliseconds.
    pub(super) length_ms: u32,
    /// Number of bins of all points so far.
    pub(super) bins: usize,
}

pub(super) fn read<'b>(
    reader: &mut Reader<'b>,
    interval: &mut Interval,
) -> Result<(RawSeries<'b>, Cell), Malformed> {
    let malformed = reader.malformed("a point");
    let length = reader.array()?;
    let kind: usize = reader.fit()?;
    let kind = *KINDS.get(kind).ok_or(malformed)?;
    let metric = reader.string()?;
    if !(1..=METRIC_BYTES_MAX).contains(&metric.len()) || !is_clean(metric) {
        return Err(malformed);
    }
    let tags = tags::read(reader)?;
    let (cell, fields) = match kind {
        Kind::Counter => (Cell::Sum(finite(reader)?), 1),
        Kind::Rate => {
            let seconds = f64::from(interval.length_ms) / 1000.0;
            let sum = finite(reader)? * seconds;
            (Cell::Sum(sum.clamp(f64::MIN, f64::MAX)), 1)
        }
        Kind::Gauge => {
            let (value, end_ms) = (finite(reader)?, interval.end_ms);
            (Cell::Relayed(Box::new(Relayed { value, end_ms })), 1)
        }
        Kind::Set => {
            let set = Distinct::from_bytes(reader.bytes()?).ok_or(malformed)?;
            (Cell::Distinct(Box::new(set)), 1)
        }
        Kind::Timer | Kind::Histogram | Kind::Distribution => {
            let spread = read_spread(reader, &mut interval.bins)?;
            (Cell::Spread(Box::new(spread)), SPREAD_FIELDS)
        }
    };
    if length != HEAD_FIELDS + fields {
        return Err(malformed);
    }
    let series = RawSeries {
        kind,
        metric: metric.as_bytes(),
        tags,
        syntax: TagSyntax::Relayed,
    };
    Ok((series, cell))
}

fn finite(reader: &mut Reader<'_>) -> Result<f64, Malformed> {
    let malformed = reader.malformed("a finite number");
    let value = reader.float()?;
    match value.is_finite() {
        true => Ok(value),
        false => Err(malformed),
    }
}

fn read_spread(reader: &mut Reader<'_>, bins: &mut usize) -> Result<Spread, Malformed> {
    let malformed = reader.malformed("count, sum, extremes and bins");
    let (count, sum) = (finite(reader)?, finite(reader)?);
    let (min, max) = (finite(reader)?, finite(reader)?);
    let mut buckets = SignedBins::default().into_buckets();
    buckets.zero = finite(reader)?;
    buckets.positive = read_side(reader, bins)?;
    buckets.negative = read_side(reader, bins)?;
    let bins = SignedBins::from_buckets(buckets).ok_or(malformed)?;
    let is_there = count > 0.0 && count <= WEIGHT_MAX && min <= max && bins.weight() > 0.0;
    is_there
        .then_some(Spread {
            count,
            sum,
            min,
            max,
            bins,
        })
        .ok_or(malformed)
}

fn read_side(reader: &mut Reader<'_>, bins: &mut usize) -> Result<Vec<(i32, f64)>, Malformed> {
    let malformed = reader.malformed("bins");
    let length = reader.array()?;
    *bins = bins.saturating_add(length / 2);
    if length % 2 != 0 || *bins > RELAYED_BINS_MAX {
        return Err(malformed);
    }
    let mut side: Vec<(i32, f64)> = Vec::new();
    let mut bin = 0_i64;
    for _ in 0..length / 2 {
        bin = bin.checked_add(reader.int()?).ok_or(malformed)?;
        let own = i32::try_from(bin).map_err(|_| malformed)?;
        side.push((own, reader.float()?));
    }
    Ok(side)
}
