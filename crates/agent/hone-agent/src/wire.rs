//! Encoding of intervals into bytes that other programs read.
//!
//! ```text
//! points -> pieces of an interval -> parts of a bounded number of points -> encode -> Encoded: body and counts
//! ```
//!
//! Encoders take values and append bytes; they know neither compression nor endpoints. Values that a format cannot
//! express are left out in one place, `values.rs` and `plain.rs`, and docs/agent/send.md lists them.

pub mod buckets;
pub mod ended;
pub mod graphite;
mod labels;
mod msgpack;
pub mod names;
pub mod plain;
mod protobuf;
pub mod relay;
pub mod remote_write_1;
pub mod remote_write_2;
pub mod scrape;
mod values;

use crate::aggregate::{Aggregate, Interval, Point};
use crate::series::Series;
use buckets::BucketSeries;
pub use labels::NameForm;
use std::sync::Arc;

/// Points of one interval that go into one body.
#[derive(Clone, Copy, Debug)]
pub struct Part<'i> {
    /// End of the interval, in milliseconds since 1970.
    pub end_ms: i64,
    /// Length of the interval, in milliseconds.
    pub length_ms: u32,
    /// The points.
    pub points: &'i [Point],
    /// Counters and gauges that were there and will come no more; remote write reports each of them.
    pub ended: &'i [Arc<Series>],
}

/// Number of buckets that take about as many bytes as the rest of a point.
const BUCKETS_OF_A_POINT: usize = 64;

/// Splits an interval into parts of at most the given number of points, so that no body grows past the size that back
/// ends accept. A point with many buckets counts as several.
pub fn parts(interval: &Interval, points_max: usize) -> impl Iterator<Item = Part<'_>> {
    let mut rest = &interval.points[..];
    std::iter::from_fn(move || {
        let mut room = points_max;
        let fits = rest.iter().take_while(|point| {
            let weight = weight(point);
            let fits = weight <= room;
            room = room.saturating_sub(weight);
            fits
        });
        // A point alone fits in any case.
        let count = fits.count().max(1).min(rest.len());
        let (points, behind) = rest.split_at(count);
        rest = behind;
        (!points.is_empty()).then_some(Part {
            end_ms: interval.end_ms,
            length_ms: interval.length_ms,
            points,
            ended: &[],
        })
    })
}

/// Returns the number of points that a point counts as.
fn weight(point: &Point) -> usize {
    let buckets = match &point.value {
        Aggregate::Timer(_, buckets)
        | Aggregate::Histogram(_, buckets)
        | Aggregate::Distribution(_, buckets) => buckets.positive.len() + buckets.negative.len(),
        _ => 0,
    };
    1 + buckets / BUCKETS_OF_A_POINT
}

/// Collector of points into pieces of an interval. Each piece is one part of its [`parts`], so that never more of an
/// interval is held than goes into a body.
#[derive(Debug)]
pub struct Pieces {
    piece: Interval,
    points_max: usize,
    room: usize,
}

impl Pieces {
    /// Begins the pieces of an interval that ended at `end_ms`, in milliseconds since 1970, and took `length_ms`.
    pub fn new(end_ms: i64, length_ms: u32, points_max: usize) -> Self {
        Self {
            piece: Interval {
                end_ms,
                length_ms,
                points: Vec::new(),
            },
            points_max,
            room: points_max,
        }
    }

    /// Adds a point. Returns the piece before, if the point has no room in it.
    pub fn add(&mut self, point: Point) -> Option<Interval> {
        let weight = weight(&point);
        let is_full = weight > self.room && !self.piece.points.is_empty();
        let full = is_full.then(|| self.take());
        self.room = self.room.saturating_sub(weight);
        self.piece.points.push(point);
        full
    }

    /// Returns the last piece.
    pub fn last(mut self) -> Interval {
        self.take()
    }

    fn take(&mut self) -> Interval {
        self.room = self.points_max;
        Interval {
            points: std::mem::take(&mut self.piece.points),
            ..self.piece
        }
    }
}

/// Splits the series that ended with the interval into parts of at most the given number.
pub fn parts_of_ended<'i>(
    interval: &Interval,
    ended: &'i [Arc<Series>],
    points_max: usize,
) -> impl Iterator<Item = Part<'i>> {
    let (end_ms, length_ms) = (interval.end_ms, interval.length_ms);
    let chunks = ended.chunks(points_max.max(1));
    chunks.map(move |ended| Part {
        end_ms,
        length_ms,
        points: &[],
        ended,
    })
}

/// Labels that are added to points, and choices for formats that have several forms.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// Labels of this agent, such as `host`; a tag of the same name wins. In the relay's format they become tags.
    pub labels: Vec<(String, String)>,
    /// Representation of buckets in formats without histograms.
    pub buckets: BucketSeries,
    /// Form of names in formats of Prometheus.
    pub names: NameForm,
    /// Start of the agent, in milliseconds since 1970; 0 if not known. Counters without a start of their own began then.
    pub started_ms: i64,
}

/// A body and the counts of its contents.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Encoded {
    /// The bytes.
    pub body: Vec<u8>,
    /// Number of the agent's points in the body.
    pub points: u64,
    /// Number of plain values that the points became.
    pub samples: u64,
    /// Number of native histograms that the points became.
    pub histograms: u64,
    /// Number of values that the format cannot express, such as a sum that overflowed in Graphite's lines.
    pub left_out: u64,
}

/// Format of points in a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `prometheus.WriteRequest`.
    RemoteWrite1,
    /// `io.prometheus.write.v2.Request`.
    RemoteWrite2,
    /// Lines with tags.
    Graphite,
    /// Lossless, for another hone-agent.
    Relay,
}

impl Format {
    /// Encodes a part. The relay's format names each part by `origin`, so that a part which comes twice counts once.
    pub fn encode(self, part: Part<'_>, options: &Options, origin: relay::Origin) -> Encoded {
        match self {
            Self::RemoteWrite1 => remote_write_1::encode(part, options),
            Self::RemoteWrite2 => remote_write_2::encode(part, options),
            Self::Graphite => graphite::encode(part, options),
            Self::Relay => relay::encode(part, &options.labels, origin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::Buckets;
    use crate::sample::Kind;

    #[test]
    fn parts_hold_all_points_in_their_order_and_few_that_are_long() {
        let point = |number: usize, buckets: i32| {
            let positive = (0..buckets).map(|bucket| (bucket, 1.0)).collect();
            let buckets = Buckets {
                positive,
                ..Buckets::default()
            };
            let metric = format!("m{number}");
            let series = Arc::new(Series::new(Kind::Timer, &metric, &[]).unwrap());
            let value = Aggregate::Timer(Box::default(), Box::new(buckets));
            Point { series, value }
        };
        let long = 3 * BUCKETS_OF_A_POINT as i32;
        let buckets = [0, 1, long, 2, long, 0, 100 * long, 0, 0];
        let numbered = buckets.into_iter().enumerate();
        let interval = Interval {
            points: numbered
                .map(|(number, buckets)| point(number, buckets))
                .collect(),
            ..Interval::default()
        };
        let lengths = |points_max| -> Vec<usize> {
            let parts = parts(&interval, points_max);
            parts.map(|part| part.points.len()).collect()
        };
        assert_eq!(lengths(5), [2, 2, 2, 1, 2]);
        assert_eq!((lengths(0), lengths(usize::MAX)), (vec![1; 9], vec![9]));
        let all = parts(&interval, 5).flat_map(|part| part.points);
        assert!(all.eq(&interval.points));
        assert_eq!(parts(&Interval::default(), 5).count(), 0);
        for points_max in [0, 5, usize::MAX] {
            let mut gathered = Pieces::new(7, 10_000, points_max);
            let points = interval.points.iter().cloned();
            let mut pieces: Vec<Interval> =
                points.filter_map(|point| gathered.add(point)).collect();
            pieces.push(gathered.last());
            let whole = parts(&interval, points_max).map(|part| part.points);
            assert!(pieces.iter().map(|piece| &piece.points[..]).eq(whole));
            let times = |piece: &Interval| (piece.end_ms, piece.length_ms) == (7, 10_000);
            assert!(pieces.iter().all(times));
        }
        assert_eq!(Pieces::new(0, 0, 5).last(), Interval::default());
    }
}
