//! Single values of an aggregate, for formats whose points are one number each.

use crate::aggregate::{Aggregate, Buckets, Summary};

/// Role of a value in its series.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Role {
    /// The sum since the start.
    Total,
    /// The measured value.
    Value,
    /// Number of measurements in the interval.
    Count,
    /// Sum of the measurements.
    Sum,
    /// Smallest measurement.
    Min,
    /// Largest measurement.
    Max,
    /// Bound below which the given share of the measurements lies.
    Quantile(f64),
}

/// Calls `visit` with each value of the aggregate except its buckets. For a counter, `total` chooses the sum since the
/// start; otherwise the sum of the interval is given.
pub(super) fn each(value: &Aggregate, total: bool, visit: &mut impl FnMut(Role, f64)) {
    match value {
        Aggregate::Counter { total: sum, .. } if total => visit(Role::Total, *sum),
        Aggregate::Counter { delta, .. } => visit(Role::Value, *delta),
        Aggregate::Rate(value) | Aggregate::Gauge(value) => visit(Role::Value, *value),
        Aggregate::Set(set) => visit(Role::Value, set.estimate()),
        Aggregate::Timer(summary, _)
        | Aggregate::Histogram(summary, _)
        | Aggregate::Distribution(summary, _) => {
            visit(Role::Count, summary.count);
            visit(Role::Sum, summary.sum);
            each_of_summary(summary, visit);
        }
    }
}

/// Calls `visit` with extremes and quantiles. They are sent beside a native histogram, which has count and sum itself.
pub(super) fn each_of_summary(summary: &Summary, visit: &mut impl FnMut(Role, f64)) {
    visit(Role::Min, summary.min);
    visit(Role::Max, summary.max);
    for (quantile, value) in &summary.quantiles {
        visit(Role::Quantile(*quantile), *value);
    }
}

/// Limit on written buckets of each sign: OpenTelemetry's default for its exponential histograms.
pub(super) const BUCKETS_MAX: usize = 160;

/// Returns the summary and the buckets, if the aggregate is written with buckets.
pub(super) fn buckets(value: &Aggregate) -> Option<(&Summary, Buckets)> {
    match value {
        Aggregate::Histogram(summary, buckets) | Aggregate::Distribution(summary, buckets) => {
            Some((summary, buckets.at_most(BUCKETS_MAX)))
        }
        _ => None,
    }
}
