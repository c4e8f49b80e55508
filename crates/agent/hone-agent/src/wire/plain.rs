//! Points as flat series, for formats that know only a name, labels and one value.
//!
//! | what | series |
//! |---|---|
//! | counter | `name`: the sum since the counter came up |
//! | rate, gauge, set | `name` |
//! | timer, histogram, distribution | `name_count`, `name_sum`, `name_min`, `name_max`, `name{quantile="0.99"}` |
//! | histogram, also | `name_bucket{...}` by [`buckets::BucketSeries`] |
//!
//! Names stay the user's: a counter gets no `_total`, since queries and dashboards of its sender use the name as sent,
//! and no back end asks for the suffix in remote write. The first sum of a counter comes with a zero before it, since
//! back ends see by how much a series grew only between two samples. Count, sum and buckets are of the interval: queries use
//! `sum_over_time`, not `rate`. Buckets of distributions are left out since there are too many; their quantiles are
//! sent.

use super::Options;
use super::buckets;
use super::labels::{self, Label};
use super::values::{self, Role};
use crate::aggregate::{Aggregate, Point};
use crate::sample::Kind;
use crate::series::Series;

/// Type of a series, by the numbers of remote write 2.0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetricType {
    /// Number that grows until its process starts again.
    Counter = 1,
    /// Number that goes up and down.
    Gauge = 2,
    /// Buckets that go up and down: the buckets of an interval.
    GaugeHistogram = 4,
}

/// A series with its value.
#[derive(Debug)]
pub struct Flat<'f> {
    /// The metric's name, valid for Prometheus.
    pub name: &'f str,
    labels: &'f [Label<'f>],
    extra: Option<(&'static str, &'f str)>,
    /// The value.
    pub value: f64,
    /// Type of the series.
    pub metric_type: MetricType,
    /// Time of a zero that is written before the value, in milliseconds since 1970, if there is one.
    pub zero_ms: Option<i64>,
}

impl Flat<'_> {
    /// Returns all labels including `__name__`, sorted by name.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        sorted(self.name, self.labels, self.extra)
    }

    /// Returns the number of samples: the value, and the zero before it.
    pub(super) fn samples(&self) -> u64 {
        1 + u64::from(self.zero_ms.is_some())
    }
}

/// Returns labels with `__name__` and one more label, sorted by name.
pub(super) fn sorted<'f>(
    name: &'f str,
    labels: &'f [Label<'f>],
    extra: Option<(&'static str, &'f str)>,
) -> impl Iterator<Item = (&'f str, &'f str)> {
    let place = |wanted: &str| labels.partition_point(|(name, _)| &**name < wanted);
    let name_at = place("__name__");
    // "__name__" sorts before every label that is added.
    let extra_at = extra.map_or(labels.len(), |(extra, _)| place(extra));
    let plain = |part: &'f [Label<'f>]| part.iter().map(|(name, value)| (&**name, &**value));
    plain(&labels[..name_at])
        .chain(std::iter::once(("__name__", name)))
        .chain(plain(&labels[name_at..extra_at]))
        .chain(extra)
        .chain(plain(&labels[extra_at..]))
}

/// A point's name and labels, from which its flat series are made.
pub(super) struct Family<'p> {
    metric: std::borrow::Cow<'p, str>,
    pub(super) labels: Vec<Label<'p>>,
    /// Name of the present series.
    name: String,
    /// See [`Flat::zero_ms`].
    zero_ms: Option<i64>,
}

impl<'p> Family<'p> {
    pub(super) fn of(series: &'p Series, options: &'p Options) -> Self {
        Self {
            metric: options.names.metric(series.metric()),
            labels: labels::of(options.names.style(), series, &options.labels),
            name: String::new(),
            zero_ms: None,
        }
    }

    pub(super) fn metric(&self) -> &str {
        &self.metric
    }

    /// Calls `visit` with the series of one value.
    pub(super) fn value(&mut self, role: Role, value: f64, visit: &mut impl FnMut(&Flat<'_>)) {
        let quantile;
        let (suffix, extra) = match role {
            Role::Total | Role::Value => ("", None),
            Role::Count => ("_count", None),
            Role::Sum => ("_sum", None),
            Role::Min => ("_min", None),
            Role::Max => ("_max", None),
            Role::Quantile(share) => {
                quantile = share.to_string();
                ("", Some(("quantile", quantile.as_str())))
            }
        };
        let metric_type = match role {
            Role::Total => MetricType::Counter,
            _ => MetricType::Gauge,
        };
        self.series(suffix, extra, value, metric_type, visit);
    }

    pub(super) fn series(
        &mut self,
        suffix: &str,
        extra: Option<(&'static str, &str)>,
        value: f64,
        metric_type: MetricType,
        visit: &mut impl FnMut(&Flat<'_>),
    ) {
        self.name.clear();
        self.name.push_str(&self.metric);
        self.name.push_str(suffix);
        visit(&Flat {
            name: &self.name,
            labels: &self.labels,
            extra,
            value: never_stale(value),
            metric_type,
            zero_ms: self.zero_ms,
        });
    }
}

/// The value that marks the end of a series: a NaN that must never be sent for anything else.
pub const STALE: f64 = f64::from_bits(0x7ff0_0000_0000_0002);

/// Returns the canonical NaN for any NaN.
pub(super) fn never_stale(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}

/// Calls `visit` with the marker that a counter or gauge ended.
pub(super) fn end(series: &Series, options: &Options, visit: impl FnOnce(&Flat<'_>)) {
    let family = Family::of(series, options);
    visit(&Flat {
        name: &family.metric,
        labels: &family.labels,
        extra: None,
        value: STALE,
        metric_type: match series.kind() {
            Kind::Counter => MetricType::Counter,
            _ => MetricType::Gauge,
        },
        zero_ms: None,
    });
}

/// Calls `visit` with each series that a point becomes.
pub fn flatten(point: &Point, options: &Options, mut visit: impl FnMut(&Flat<'_>)) {
    let mut family = Family::of(&point.series, options);
    family.zero_ms = match point.value {
        Aggregate::Counter {
            since_ms,
            is_new: true,
            ..
        } => Some(since_ms),
        _ => None,
    };
    values::each(&point.value, true, &mut |role, value| {
        family.value(role, value, &mut visit);
    });
    let Aggregate::Histogram(_, histogram) = &point.value else {
        return;
    };
    let histogram = &histogram.at_most(values::BUCKETS_MAX);
    buckets::each_of_series(histogram, options.buckets, |label, bound, weight| {
        let (extra, bucket) = (Some((label, bound)), MetricType::GaugeHistogram);
        family.series("_bucket", extra, weight, bucket, &mut visit);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::{Buckets, Summary};
    use crate::wire::buckets::BucketSeries;
    use std::sync::Arc;

    #[test]
    fn no_value_is_taken_for_the_end_of_its_series() {
        assert_eq!(never_stale(STALE).to_bits(), 0x7ff8_0000_0000_0000);
        assert_eq!(never_stale(1.5), 1.5);
    }

    fn lines(value: Aggregate, options: &Options) -> Vec<String> {
        let tags = [("Zone", "z"), ("path", "/a"), ("z.last", "1")];
        let series = Arc::new(Series::new(Kind::Gauge, "http.time", &tags).unwrap());
        let mut lines = Vec::new();
        flatten(&Point { series, value }, options, |flat| {
            let labels: Vec<_> = flat.labels().collect();
            assert!(labels.windows(2).all(|pair| pair[0].0 < pair[1].0));
            let shown = labels.iter().map(|(name, value)| format!("{name}={value}"));
            let shown: Vec<_> = shown.collect();
            lines.push(format!("{} {}", shown.join(","), flat.value));
        });
        lines
    }

    #[test]
    fn counters_keep_their_name_and_send_their_total() {
        let counter = Aggregate::Counter {
            total: 12.0,
            delta: 3.0,
            since_ms: 0,
            is_new: false,
        };
        assert_eq!(
            lines(counter, &Options::default()),
            ["Zone=z,__name__=http_time,path=/a,z_last=1 12"]
        );
    }

    #[test]
    fn summaries_become_several_series() {
        let summary = Summary {
            count: 4.0,
            sum: 10.0,
            min: 1.0,
            max: 4.0,
            quantiles: vec![(0.5, 2.0), (0.999, 4.0)],
        };
        let seen = lines(
            Aggregate::Timer(Box::new(summary), Box::default()),
            &Options::default(),
        );
        assert_eq!(
            seen,
            [
                "Zone=z,__name__=http_time_count,path=/a,z_last=1 4",
                "Zone=z,__name__=http_time_sum,path=/a,z_last=1 10",
                "Zone=z,__name__=http_time_min,path=/a,z_last=1 1",
                "Zone=z,__name__=http_time_max,path=/a,z_last=1 4",
                "Zone=z,__name__=http_time,path=/a,quantile=0.5,z_last=1 2",
                "Zone=z,__name__=http_time,path=/a,quantile=0.999,z_last=1 4",
            ]
        );
    }

    #[test]
    fn buckets_take_the_form_that_is_asked_for() {
        let histogram = Buckets {
            positive: vec![(0, 3.0)],
            ..Buckets::default()
        };
        let value = Aggregate::Histogram(Box::default(), Box::new(histogram));
        let with = |buckets| {
            let options = Options {
                buckets,
                ..Options::default()
            };
            lines(value.clone(), &options)
        };
        assert_eq!(with(BucketSeries::None).len(), 4);
        let ranges = with(BucketSeries::VmRange);
        assert_eq!(ranges.len(), 5);
        assert_eq!(
            ranges[4],
            "Zone=z,__name__=http_time_bucket,path=/a,vmrange=1.000e+00...2.000e+00,z_last=1 3"
        );
        let le = with(BucketSeries::Le);
        assert_eq!(le.len(), 4 + 27);
        let expected = "Zone=z,__name__=http_time_bucket,le=+Inf,path=/a,z_last=1 3";
        assert_eq!(le.last().unwrap(), expected);
    }
}
