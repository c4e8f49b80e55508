//! One point in the relay's format.

use crate::aggregate::{Aggregate, Buckets, Point, Summary};
use crate::sample::Kind;
use crate::series::{Series, TEXT_BYTES_MAX};
use crate::wire::msgpack::{self, Malformed, Reader};
use std::sync::Arc;

/// Kinds by their number on the wire.
const KINDS: [Kind; 7] = [
    Kind::Counter,
    Kind::Rate,
    Kind::Gauge,
    Kind::Timer,
    Kind::Histogram,
    Kind::Distribution,
    Kind::Set,
];

pub(super) fn write(out: &mut Vec<u8>, point: &Point) {
    let numbers = match &point.value {
        Aggregate::Counter { .. } | Aggregate::Histogram(..) | Aggregate::Distribution(..) => 2,
        _ => 1,
    };
    msgpack::array(out, 4 + numbers);
    msgpack::uint(out, kind_number(point.series.kind()));
    msgpack::string(out, point.series.metric());
    msgpack::array(out, 2 * point.series.tags().count());
    for (key, value) in point.series.tags() {
        msgpack::string(out, key);
        msgpack::string(out, value);
    }
    match &point.value {
        Aggregate::Counter { total, delta } => {
            msgpack::uint(out, kind_number(Kind::Counter));
            msgpack::float(out, *total);
            msgpack::float(out, *delta);
        }
        Aggregate::Rate(value) => single(out, Kind::Rate, *value),
        Aggregate::Gauge(value) => single(out, Kind::Gauge, *value),
        Aggregate::Set(value) => single(out, Kind::Set, *value),
        Aggregate::Timer(summary) => {
            msgpack::uint(out, kind_number(Kind::Timer));
            write_summary(out, summary);
        }
        Aggregate::Histogram(summary, buckets) => {
            msgpack::uint(out, kind_number(Kind::Histogram));
            write_summary(out, summary);
            write_buckets(out, buckets);
        }
        Aggregate::Distribution(summary, buckets) => {
            msgpack::uint(out, kind_number(Kind::Distribution));
            write_summary(out, summary);
            write_buckets(out, buckets);
        }
    }
}

fn kind_number(kind: Kind) -> u64 {
    let place = KINDS.iter().position(|known| *known == kind);
    place.expect("all kinds are listed") as u64
}

fn single(out: &mut Vec<u8>, kind: Kind, value: f64) {
    msgpack::uint(out, kind_number(kind));
    msgpack::float(out, value);
}

fn write_summary(out: &mut Vec<u8>, summary: &Summary) {
    msgpack::array(out, 4 + 2 * summary.quantiles.len());
    for value in [summary.count, summary.sum, summary.min, summary.max] {
        msgpack::float(out, value);
    }
    for (quantile, value) in &summary.quantiles {
        msgpack::float(out, *quantile);
        msgpack::float(out, *value);
    }
}

fn write_buckets(out: &mut Vec<u8>, buckets: &Buckets) {
    msgpack::array(out, 4);
    msgpack::int(out, i64::from(buckets.scale));
    msgpack::float(out, buckets.zero);
    for side in [&buckets.positive, &buckets.negative] {
        msgpack::array(out, 2 * side.len());
        // Neighbours differ by little.
        let mut before = 0;
        for (index, weight) in side {
            msgpack::int(out, i64::from(*index) - before);
            msgpack::float(out, *weight);
            before = i64::from(*index);
        }
    }
}

pub(super) fn read(reader: &mut Reader<'_>) -> Result<Point, Malformed> {
    let start = reader.malformed("a point");
    let length = reader.array()?;
    let kind = read_kind(reader)?;
    let metric = reader.string()?;
    let tags = read_tags(reader)?;
    let series = Series::new(kind, metric, &tags).ok_or(start)?;
    let (value, numbers) = match read_kind(reader)? {
        Kind::Counter => {
            let (total, delta) = (reader.float()?, reader.float()?);
            (Aggregate::Counter { total, delta }, 2)
        }
        Kind::Rate => (Aggregate::Rate(reader.float()?), 1),
        Kind::Gauge => (Aggregate::Gauge(reader.float()?), 1),
        Kind::Set => (Aggregate::Set(reader.float()?), 1),
        Kind::Timer => (Aggregate::Timer(read_summary(reader)?), 1),
        Kind::Histogram => {
            let (summary, buckets) = (read_summary(reader)?, read_buckets(reader)?);
            (Aggregate::Histogram(summary, buckets), 2)
        }
        Kind::Distribution => {
            let (summary, buckets) = (read_summary(reader)?, read_buckets(reader)?);
            (Aggregate::Distribution(summary, buckets), 2)
        }
    };
    if length != 4 + numbers {
        return Err(start);
    }
    let series = Arc::new(series);
    Ok(Point { series, value })
}

fn read_kind(reader: &mut Reader<'_>) -> Result<Kind, Malformed> {
    let malformed = reader.malformed("a kind");
    let number: usize = reader.fit()?;
    KINDS.get(number).copied().ok_or(malformed)
}

/// Keys and values, which must be sorted and each key there once.
fn read_tags<'b>(reader: &mut Reader<'b>) -> Result<Vec<(&'b str, &'b str)>, Malformed> {
    let malformed = reader.malformed("sorted tags");
    let length = reader.array()?;
    let mut tags: Vec<(&str, &str)> = Vec::new();
    if length % 2 != 0 || length > TEXT_BYTES_MAX {
        return Err(malformed);
    }
    for _ in 0..length / 2 {
        let (key, value) = (reader.string()?, reader.string()?);
        if tags.last().is_some_and(|(before, _)| *before >= key) {
            return Err(malformed);
        }
        tags.push((key, value));
    }
    Ok(tags)
}

fn read_summary(reader: &mut Reader<'_>) -> Result<Summary, Malformed> {
    let malformed = reader.malformed("a summary");
    let length = reader.array()?;
    if length < 4 || length % 2 != 0 {
        return Err(malformed);
    }
    let mut summary = Summary {
        count: reader.float()?,
        sum: reader.float()?,
        min: reader.float()?,
        max: reader.float()?,
        quantiles: Vec::new(),
    };
    for _ in 0..(length - 4) / 2 {
        summary.quantiles.push((reader.float()?, reader.float()?));
    }
    Ok(summary)
}

fn read_buckets(reader: &mut Reader<'_>) -> Result<Buckets, Malformed> {
    let malformed = reader.malformed("buckets");
    if reader.array()? != 4 {
        return Err(malformed);
    }
    let scale: i8 = reader.fit()?;
    if !(-4..=8).contains(&scale) {
        return Err(malformed);
    }
    Ok(Buckets {
        scale,
        zero: reader.float()?,
        positive: read_side(reader)?,
        negative: read_side(reader)?,
    })
}

/// Indexes must grow.
fn read_side(reader: &mut Reader<'_>) -> Result<Vec<(i32, f64)>, Malformed> {
    let malformed = reader.malformed("buckets in order");
    let length = reader.array()?;
    if length % 2 != 0 {
        return Err(malformed);
    }
    let mut side: Vec<(i32, f64)> = Vec::new();
    let mut index = 0i64;
    for _ in 0..length / 2 {
        let step = reader.int()?;
        index = index.checked_add(step).ok_or(malformed)?;
        let own = i32::try_from(index).map_err(|_| malformed)?;
        if side.last().is_some_and(|(before, _)| *before >= own) {
            return Err(malformed);
        }
        side.push((own, reader.float()?));
    }
    Ok(side)
}
