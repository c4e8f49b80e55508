//! What an interval came to, as bytes that others read.
//!
//! ```text
//! Interval -> parts of a bounded number of points -> encode -> Encoded: body, and how much stands in it
//! ```
//!
//! Encoders take values and append bytes; they know neither compression nor endpoints. What a format cannot say
//! is left out in one place, `values.rs` and `plain.rs`, and docs/guide/agent-send.md lists it.

pub mod buckets;
pub mod graphite;
pub mod held;
mod labels;
pub mod merge;
mod msgpack;
pub mod plain;
mod protobuf;
pub mod relay;
pub mod remote_write_1;
pub mod remote_write_2;
mod values;

use crate::aggregate::{Interval, Point};
use crate::series::Series;
use buckets::BucketSeries;
use std::sync::Arc;

/// Points of one interval that go into one body.
#[derive(Clone, Copy, Debug)]
pub struct Part<'i> {
    /// The end of the interval, in milliseconds since 1970.
    pub end_ms: i64,
    /// The interval's length in milliseconds.
    pub length_ms: u32,
    /// The points.
    pub points: &'i [Point],
    /// Counters and gauges that were there and will come no more; remote write says so of each.
    pub ended: &'i [Arc<Series>],
}

/// The interval in parts of at most so many points, so that no body grows past what back ends accept.
pub fn parts(interval: &Interval, points_max: usize) -> impl Iterator<Item = Part<'_>> {
    let chunks = interval.points.chunks(points_max.max(1));
    chunks.map(|points| Part {
        end_ms: interval.end_ms,
        length_ms: interval.length_ms,
        points,
        ended: &[],
    })
}

/// The same of series that ended with the interval.
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

/// What is added to the points, and which form they take where a format has a choice.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// Labels of this agent, as `host`; a tag of the same name wins. Not in the relay's format.
    pub labels: Vec<(String, String)>,
    /// How formats without histograms show buckets.
    pub buckets: BucketSeries,
    /// When counters began, in milliseconds since 1970; 0 where that is not known.
    pub started_ms: i64,
}

/// A body and what stands in it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Encoded {
    /// The bytes.
    pub body: Vec<u8>,
    /// How many points of the agent it holds.
    pub points: u64,
    /// How many plain values these became.
    pub samples: u64,
    /// How many native histograms they became.
    pub histograms: u64,
    /// How many values the format has no form for, as a sum that overflowed in Graphite's.
    pub left_out: u64,
}

/// How points are written.
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
    /// The part's bytes. The relay's format names each part by `origin`, so that a part which comes twice counts once.
    pub fn encode(self, part: Part<'_>, options: &Options, origin: relay::Origin) -> Encoded {
        match self {
            Self::RemoteWrite1 => remote_write_1::encode(part, options),
            Self::RemoteWrite2 => remote_write_2::encode(part, options),
            Self::Graphite => graphite::encode(part, options),
            Self::Relay => relay::encode(part, origin),
        }
    }
}
