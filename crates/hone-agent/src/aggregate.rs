//! What the samples of an interval came to: what the store makes, flush hands on and wire formats write.

use crate::series::Series;
use std::sync::Arc;

/// Values in buckets whose bounds grow exponentially.
///
/// Bucket `i` of `positive` holds the values in (base^i, base^(i+1)], base = 2^(2^-scale): the histogram of
/// OpenTelemetry's data model ("Exponential Histogram") and of Prometheus' native histograms, whose bucket `i+1` it is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Buckets {
    /// Resolution, -4 to 8 as Prometheus allows.
    pub scale: i8,
    /// Weight of values that are zero, or too small to tell from it.
    pub zero: f64,
    /// Index and weight of the buckets of positive values that have any, in order.
    pub positive: Vec<(i32, f64)>,
    /// The same of negative values, by their magnitude.
    pub negative: Vec<(i32, f64)>,
}

/// Count, sum, extremes and quantiles.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Weight of all values: how many measurements there were.
    pub count: f64,
    /// Their sum.
    pub sum: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Quantile, 0 to 1, and value there.
    pub quantiles: Vec<(f64, f64)>,
}

/// What the samples of one series in one interval came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Aggregate {
    /// The sum since the agent started, and that of this interval alone.
    Counter {
        /// Since the start.
        total: f64,
        /// Of this interval.
        delta: f64,
    },
    /// Per second.
    Rate(f64),
    /// The last value.
    Gauge(f64),
    /// Durations.
    Timer(Summary),
    /// Values in exponential buckets, with their summary (without quantiles).
    Histogram(Summary, Buckets),
    /// Quantiles within 1 %, and the buckets that they come from, to be merged further on.
    Distribution(Summary, Buckets),
    /// How many different members there were.
    Set(f64),
}

/// One series of an interval.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Which.
    pub series: Arc<Series>,
    /// What it came to.
    pub value: Aggregate,
}

/// All that an interval came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interval {
    /// Its end, in milliseconds since 1970.
    pub end_ms: i64,
    /// Its length in milliseconds.
    pub length_ms: u32,
    /// The series that had samples, or still hold (gauges and counters until they expire).
    pub points: Vec<Point>,
}
