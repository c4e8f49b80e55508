//! The single values that an aggregate consists of, for formats whose points are one number each.

use crate::aggregate::{Aggregate, Buckets, Summary};

/// What a value is to its series.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Role {
    /// The sum since the start.
    Total,
    /// What the series measures.
    Value,
    /// How many measurements the interval had.
    Count,
    /// Their sum.
    Sum,
    /// The smallest of them.
    Min,
    /// The largest.
    Max,
    /// Below which such a share of them lies.
    Quantile(f64),
}

/// Calls `visit` with each value of the aggregate but its buckets. `total` says which of a counter's two is wanted:
/// the sum since the start, or that of the interval.
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

/// Extremes and quantiles: what stands beside a native histogram, which has count and sum itself.
pub(super) fn each_of_summary(summary: &Summary, visit: &mut impl FnMut(Role, f64)) {
    visit(Role::Min, summary.min);
    visit(Role::Max, summary.max);
    for (quantile, value) in &summary.quantiles {
        visit(Role::Quantile(*quantile), *value);
    }
}

/// Buckets of each sign that are written: OpenTelemetry's default for its exponential histograms.
pub(super) const BUCKETS_MAX: usize = 160;

/// Buckets, where the aggregate is written with any.
pub(super) fn buckets(value: &Aggregate) -> Option<(&Summary, Buckets)> {
    match value {
        Aggregate::Histogram(summary, buckets) | Aggregate::Distribution(summary, buckets) => {
            Some((summary, buckets.at_most(BUCKETS_MAX)))
        }
        _ => None,
    }
}
