//! Results of the samples of an interval, which the store makes, the flusher hands on and wire formats write.

use crate::series::Series;
use crate::store::cardinality::Distinct;
use std::sync::Arc;

/// Values in buckets whose bounds grow exponentially.
///
/// Bucket `i` of `positive` holds the values in (base^i, base^(i+1)], base = 2^(2^-scale): the histogram of
/// OpenTelemetry's data model ("Exponential Histogram") and of Prometheus' native histograms, whose bucket `i+1` it is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Buckets {
    /// Resolution, -4 to 8 as Prometheus allows.
    pub scale: i8,
    /// Weight of values that are zero, or too small to tell from zero.
    pub zero: f64,
    /// Index and weight of each non-empty bucket of positive values, in order.
    pub positive: Vec<(i32, f64)>,
    /// Index and weight of each non-empty bucket of negative values, by their magnitude.
    pub negative: Vec<(i32, f64)>,
}

/// The coarsest scale of Prometheus' native histograms.
const SCALE_MIN: i8 = -4;

impl Buckets {
    /// Returns the same values in at most `buckets_max` buckets of each sign, gaps included: neighbouring buckets are merged
    /// until they fit, down to the coarsest scale.
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

/// Returns buckets that are coarser by `steps` scales.
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

/// Count, sum, extremes and quantiles of values.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Weight of all values: the number of measurements.
    pub count: f64,
    /// Sum of the values.
    pub sum: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Quantiles, 0 to 1, and the values at them.
    pub quantiles: Vec<(f64, f64)>,
}

/// Result of the samples of one series in one interval. The type is small, since most series are counters and gauges, and
/// there may be hundreds of thousands of them.
#[derive(Clone, PartialEq, Debug)]
pub enum Aggregate {
    /// The sum since the series appeared, and the sum of this interval alone.
    Counter {
        /// Sum since the series appeared.
        total: f64,
        /// Sum of this interval.
        delta: f64,
        /// Start of the first interval of the series, in milliseconds since 1970; 0 if the series began with the agent.
        since_ms: i64,
        /// True in the first interval of the series, if a sample at `since_ms` is later than all samples of earlier intervals.
        /// Back ends that keep sums get a zero at that time: without it, nobody could tell by how much the sum has grown.
        is_new: bool,
    },
    /// The sum per second.
    Rate(f64),
    /// The last value.
    Gauge(f64),
    /// Summary of durations, and the buckets that its quantiles come from.
    Timer(Box<Summary>, Box<Buckets>),
    /// Summary of values without quantiles, and the values in exponential buckets.
    Histogram(Box<Summary>, Box<Buckets>),
    /// Summary of values with quantiles within 1 %, and the buckets that its quantiles come from.
    Distribution(Box<Summary>, Box<Buckets>),
    /// Different members of a set, as far as needed to tell their number.
    Set(Box<Distinct>),
}

/// A series with its value in an interval.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The series.
    pub series: Arc<Series>,
    /// Value of the series in the interval.
    pub value: Aggregate,
}

/// Result of an interval: all points, or a part of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interval {
    /// End of the interval, in milliseconds since 1970.
    pub end_ms: i64,
    /// Length of the interval in milliseconds.
    pub length_ms: u32,
    /// Points of series that had samples, and of counters, rates and gauges that have not expired.
    pub points: Vec<Point>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::bins::SignedBins;

    #[test]
    fn points_stay_small() {
        assert_eq!((size_of::<Aggregate>(), size_of::<Point>()), (32, 40));
    }

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
