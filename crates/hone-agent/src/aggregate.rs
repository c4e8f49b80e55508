//! What the samples of an interval came to: what the store makes, flush hands on and wire formats write.

use crate::series::Series;
use crate::store::distinct::Distinct;
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

/// The coarsest scale of Prometheus' native histograms.
const SCALE_MIN: i8 = -4;

impl Buckets {
    /// The same values in at most so many buckets of each sign, gaps included: neighbours are put together, all alike,
    /// until they fit.
    pub fn at_most(&self, buckets_max: usize) -> Self {
        let mut scale = self.scale;
        let span = |side: &[(i32, f64)], scale: i8| match (side.first(), side.last()) {
            (Some((first, _)), Some((last, _))) => {
                let shift = self.scale - scale;
                i64::from(last >> shift) - i64::from(first >> shift) + 1
            }
            _ => 0,
        };
        while scale > SCALE_MIN
            && span(&self.positive, scale).max(span(&self.negative, scale)) > buckets_max as i64
        {
            scale -= 1;
        }
        Self {
            scale,
            zero: self.zero,
            positive: coarser(&self.positive, self.scale - scale),
            negative: coarser(&self.negative, self.scale - scale),
        }
    }
}

/// Buckets whose bounds are `steps` scales apart from what they were.
fn coarser(side: &[(i32, f64)], steps: i8) -> Vec<(i32, f64)> {
    let mut coarse: Vec<(i32, f64)> = Vec::new();
    for (index, weight) in side {
        let index = index >> steps;
        match coarse.last_mut() {
            Some((last, sum)) if *last == index => *sum += weight,
            _ => coarse.push((index, *weight)),
        }
    }
    coarse
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

/// What the samples of one series in one interval came to. Small, since most series are counters and gauges, and there
/// may be hundreds of thousands.
#[derive(Clone, PartialEq, Debug)]
pub enum Aggregate {
    /// The sum since the series came up, and that of this interval alone.
    Counter {
        /// Since it came up.
        total: f64,
        /// Of this interval.
        delta: f64,
        /// When it came up: the start of its first interval, in milliseconds since 1970; 0 if that was with the agent.
        since_ms: i64,
    },
    /// Per second.
    Rate(f64),
    /// The last value.
    Gauge(f64),
    /// Durations, and the buckets that their quantiles come from.
    Timer(Box<Summary>, Box<Buckets>),
    /// Values in exponential buckets, with their summary (without quantiles).
    Histogram(Box<Summary>, Box<Buckets>),
    /// Quantiles within 1 %, and the buckets that they come from.
    Distribution(Box<Summary>, Box<Buckets>),
    /// Which different members there were, as far as is needed to say how many.
    Set(Box<Distinct>),
}

/// One series of an interval.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Which.
    pub series: Arc<Series>,
    /// What it came to.
    pub value: Aggregate,
}

/// What an interval came to: all of it, or a piece.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interval {
    /// Its end, in milliseconds since 1970.
    pub end_ms: i64,
    /// Its length in milliseconds.
    pub length_ms: u32,
    /// The series that had samples, or still hold (gauges and counters until they expire).
    pub points: Vec<Point>,
}

#[cfg(test)]
mod tests {
    use crate::store::bins::SignedBins;

    #[test]
    fn buckets_get_coarser_until_they_fit() {
        let mut bins = SignedBins::default();
        for value in 1..=10_000 {
            bins.add(f64::from(value), 0.5);
        }
        let fine = bins.into_buckets();
        let buckets = fine.at_most(160);
        assert!(
            buckets.positive.len() <= 160 && buckets.scale < fine.scale,
            "{buckets:?}"
        );
        let sum: f64 = buckets.positive.iter().map(|(_, weight)| weight).sum();
        assert_eq!(sum, 5000.0);
        let base = (f64::from(-i32::from(buckets.scale))).exp2().exp2();
        for (bin, weight) in buckets.positive {
            let inside = (1..=10_000).filter(|&value| {
                let value = f64::from(value);
                value > base.powi(bin) * (1.0 + 1e-12)
                    && value <= base.powi(bin + 1) * (1.0 + 1e-12)
            });
            assert_eq!(inside.count() as f64 * 0.5, weight, "bin {bin}");
        }
    }
}
