//! An interval with every kind of aggregate, and how to wait for something.

use std::sync::Arc;
use std::time::Duration;

use hone_agent::aggregate::{Aggregate, Buckets, Interval, Point, Summary};
use hone_agent::compress::Compression;
use hone_agent::sample::Kind;
use hone_agent::send::{Outlet, OutletOptions, Retry, Sender};
use hone_agent::series::Series;
use hone_agent::store::cardinality::Distinct;
use hone_agent::wire::{Format, Options};
pub(crate) use testkit::{PATIENCE, until_true};

pub(crate) const END_MS: i64 = 1_700_000_010_000;
/// When its counter came up.
pub(crate) const SINCE_MS: i64 = 1_699_999_000_000;

pub(crate) fn point(kind: Kind, metric: &str, tags: &[(&str, &str)], value: Aggregate) -> Point {
    let series = Arc::new(Series::new(kind, metric, tags).unwrap());
    Point { series, value }
}

pub(crate) fn summary() -> Summary {
    Summary {
        count: 6.0,
        sum: 21.5,
        min: -1.5,
        max: 9.0,
        quantiles: vec![(0.5, 2.0), (0.99, 9.0)],
    }
}

pub(crate) fn buckets() -> Buckets {
    Buckets {
        scale: 2,
        zero: 1.0,
        positive: vec![(3, 2.0), (4, 1.0), (12, 1.0)],
        negative: vec![(2, 1.0)],
    }
}

/// A set of seven members.
fn seven() -> Distinct {
    let mut set = Distinct::default();
    (1..=7).for_each(|number| set.add(number << 32));
    set
}

/// One point of each kind, and one whose names have to be changed.
pub(crate) fn interval() -> Interval {
    let tags = [("host", "h1"), ("path", "/a b")];
    let counter = Aggregate::Counter {
        total: 42.0,
        delta: 2.0,
        since_ms: SINCE_MS,
        is_new: false,
    };
    let without_quantiles = Summary {
        quantiles: Vec::new(),
        ..summary()
    };
    let histogram = Aggregate::Histogram(Box::new(without_quantiles), Box::new(buckets()));
    let distribution = Aggregate::Distribution(Box::new(summary()), Box::new(buckets()));
    let odd = [("a.b", "1"), ("a/b", "2"), ("le", "x")];
    Interval {
        end_ms: END_MS,
        length_ms: 10_000,
        points: vec![
            point(Kind::Counter, "requests", &tags, counter),
            point(Kind::Rate, "request_rate", &tags, Aggregate::Rate(0.2)),
            point(Kind::Gauge, "queue.length", &odd, Aggregate::Gauge(-3.0)),
            point(
                Kind::Timer,
                "duration",
                &tags,
                Aggregate::Timer(Box::new(summary()), Box::new(buckets())),
            ),
            point(Kind::Histogram, "size", &tags, histogram),
            point(Kind::Distribution, "latency", &[], distribution),
            point(Kind::Set, "users", &tags, Aggregate::Set(Box::new(seven()))),
        ],
    }
}

/// Waits as short as they can be, so that tests do not.
pub(crate) fn at_once() -> Retry {
    Retry {
        first: Duration::from_millis(1),
        longest: Duration::from_millis(5),
        asked_longest: Duration::from_millis(5),
    }
}

pub(crate) fn outlet(format: Format, compression: Compression, sender: Sender) -> Outlet {
    let options = OutletOptions {
        format,
        wire: Options::default(),
        compression,
        points_max: 1000,
    };
    Outlet::new(options, sender).unwrap()
}
