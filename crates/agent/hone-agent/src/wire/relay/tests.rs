//! Tests that encoded intervals come back, and that hostile bytes do no harm.

use super::frame::{self, FrameError, HEADER_BYTES, Status};
use super::*;
use crate::aggregate::{Aggregate, Buckets, Interval, Point, Summary};
use crate::canonical::canonical;
use crate::compress::{Compression, Compressor};
use crate::sample::Kind;
use crate::series::Series;
use crate::store::bins::SignedBins;
use crate::store::cardinality::Distinct;
use crate::store::{Relayed as Gauge, Spread};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::sync::Arc;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("finite", |value| value.is_finite()),
        (-1000..1000i32).prop_map(f64::from),
    ]
}

fn spread() -> impl Strategy<Value = Spread> {
    let values = vec((number(), 1..1000_u32), 1..30);
    (values, number()).prop_map(|(values, sum)| {
        let mut bins = SignedBins::default();
        for (value, weight) in &values {
            bins.add(*value, f64::from(*weight) / 8.0);
        }
        let each = || values.iter().map(|(value, _)| *value);
        Spread {
            count: bins.weight(),
            sum,
            min: each().fold(f64::INFINITY, f64::min),
            max: each().fold(f64::NEG_INFINITY, f64::max),
            bins,
        }
    })
}

fn summary(spread: &Spread) -> (Summary, Buckets) {
    let summary = Summary {
        count: spread.count,
        sum: spread.sum,
        min: spread.min,
        max: spread.max,
        quantiles: vec![(0.5, 1.0)],
    };
    (summary, spread.bins.clone().into_buckets())
}

/// Generates an aggregate, and the cell that the receiver shall make of it, in an interval of 2 s.
fn value() -> impl Strategy<Value = (Kind, Aggregate, Cell)> {
    let spreads = [Kind::Timer, Kind::Histogram, Kind::Distribution];
    let members = vec(any::<u64>(), 0..600);
    prop_oneof![
        (number(), number()).prop_map(|(total, delta)| {
            let value = Aggregate::Counter {
                total,
                delta,
                since_ms: 5,
                is_new: false,
            };
            (Kind::Counter, value, Cell::Sum(delta))
        }),
        (-1e300..1e300)
            .prop_map(|rate: f64| { (Kind::Rate, Aggregate::Rate(rate), Cell::Sum(rate * 2.0)) }),
        number().prop_map(|value| {
            let gauge = Gauge { value, end_ms: 77 };
            let cell = Cell::Relayed(Box::new(gauge));
            (Kind::Gauge, Aggregate::Gauge(value), cell)
        }),
        members.prop_map(|members| {
            let mut set = Distinct::default();
            members.into_iter().for_each(|member| set.add(member));
            let cell = Cell::Distinct(Box::new(set.clone()));
            (Kind::Set, Aggregate::Set(Box::new(set)), cell)
        }),
        (spread(), 0..3_usize).prop_map(move |(spread, which)| {
            let (summary, buckets) = summary(&spread);
            let cell = Cell::Spread(Box::new(spread));
            let value = match spreads[which] {
                Kind::Timer => Aggregate::Timer(Box::new(summary), Box::new(buckets)),
                Kind::Histogram => Aggregate::Histogram(Box::new(summary), Box::new(buckets)),
                _ => Aggregate::Distribution(Box::new(summary), Box::new(buckets)),
            };
            (spreads[which], value, cell)
        }),
    ]
}

/// Generates points, and the cells that they shall become.
fn interval() -> impl Strategy<Value = (Interval, Vec<Cell>)> {
    let name = "[a-zé=|:, ]{1,12}";
    // Every tag of a client has a value.
    let tags = btree_map(name, "[a-zé=|:, ]{1,12}", 0..6);
    let point = (name, tags, value()).prop_map(|(metric, tags, (kind, value, cell))| {
        let tags: Vec<_> = tags.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let series = Arc::new(Series::new(kind, &metric, &tags).unwrap());
        (Point { series, value }, cell)
    });
    vec(point, 0..20).prop_map(|points| {
        let (points, cells) = points.into_iter().unzip();
        let interval = Interval {
            end_ms: 77,
            length_ms: 2000,
            points,
        };
        (interval, cells)
    })
}

fn whole(interval: &Interval) -> Part<'_> {
    Part {
        end_ms: interval.end_ms,
        length_ms: interval.length_ms,
        points: &interval.points,
        ended: &[],
    }
}

fn one(metric: &str, kind: Kind, value: Aggregate) -> Interval {
    let series = Arc::new(Series::new(kind, metric, &[("zone", "own")]).unwrap());
    Interval {
        points: vec![Point { series, value }],
        ..Interval::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_interval_comes_back((interval, cells) in interval(), source in 0..u64::MAX / 2, packing in 0..3) {
        let packing = [Compression::None, Compression::Snappy, Compression::Zstd(3)][packing as usize];
        let origin = Origin { source, sequence: 7 };
        let encoded = encode(whole(&interval), &[], origin);
        prop_assert_eq!(encoded.points, interval.points.len() as u64);
        let packed = Compressor::new(packing).unwrap().compress(&encoded.body).unwrap();
        let frame = frame::framed(&packed, packing).unwrap();
        let header: &[u8; HEADER_BYTES] = frame[..HEADER_BYTES].try_into().unwrap();
        prop_assert_eq!(frame::length(header), Ok(packed.len()));
        let body = frame::body(&frame).unwrap();
        let relayed = decode(&body).unwrap();
        prop_assert_eq!(relayed.origin, origin);
        prop_assert_eq!(relayed.points.len(), cells.len());
        for ((point, cell), (raw, got)) in interval.points.iter().zip(&cells).zip(&relayed.points) {
            prop_assert_eq!(&canonical(raw).unwrap(), &*point.series);
            prop_assert_eq!(got, cell);
        }
    }

    #[test]
    fn damaged_bodies_are_errors_and_never_a_crash((interval, _) in interval(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut body = encode(whole(&interval), &[], Origin::default()).body;
        let at = at.index(body.len());
        prop_assert!(decode(&body[..at]).is_err());
        body[at] = byte;
        // The result is an error, or other points that are valid in themselves.
        if let Ok(other) = decode(&body) {
            for (raw, cell) in &other.points {
                prop_assert!(canonical(raw).is_ok());
                if let Cell::Sum(value) = cell {
                    prop_assert!(value.is_finite());
                }
            }
        }
    }

    #[test]
    fn noise_is_an_error(noise in vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&noise).is_err());
        prop_assert!(frame::body(&noise).is_err());
    }
}

#[test]
fn labels_become_tags_and_tags_win() {
    let interval = one("m", Kind::Gauge, Aggregate::Gauge(1.0));
    let label = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let labels = [label("zone", "z"), label("host", "h1"), label("empty", "")];
    let body = encode(whole(&interval), &labels, Origin::default()).body;
    let relayed = decode(&body).unwrap();
    let series = canonical(&relayed.points[0].0).unwrap();
    let tags: Vec<_> = series.tags().collect();
    assert_eq!(tags, [("host", "h1"), ("zone", "own")]);
}

#[test]
fn numbers_that_could_not_be_added_up_are_refused() {
    let refuses = |kind, value| {
        let interval = one("m", kind, value);
        decode(&encode(whole(&interval), &[], Origin::default()).body).is_err()
    };
    let infinite = f64::INFINITY;
    assert!(refuses(Kind::Gauge, Aggregate::Gauge(f64::NAN)));
    assert!(refuses(Kind::Rate, Aggregate::Rate(infinite)));
    let counter = |delta| Aggregate::Counter {
        total: 1.0,
        delta,
        since_ms: 0,
        is_new: false,
    };
    assert!(refuses(Kind::Counter, counter(infinite)));
    assert!(!refuses(Kind::Counter, counter(f64::MAX)));
    let mut bins = SignedBins::default();
    bins.add(2.0, 3.0);
    let timer = |change: fn(&mut Summary, &mut Buckets)| {
        let mut summary = Summary {
            count: 3.0,
            sum: 6.0,
            min: 2.0,
            max: 2.0,
            quantiles: Vec::new(),
        };
        let mut buckets = bins.clone().into_buckets();
        change(&mut summary, &mut buckets);
        refuses(
            Kind::Timer,
            Aggregate::Timer(Box::new(summary), Box::new(buckets)),
        )
    };
    assert!(!timer(|_, _| {}));
    assert!(timer(|summary, _| summary.count = 0.0));
    assert!(timer(|summary, _| summary.sum = f64::NAN));
    assert!(timer(|summary, _| summary.min = 3.0));
    assert!(timer(|_, buckets| buckets.positive[0].1 = -3.0));
    assert!(timer(|_, buckets| buckets.positive.clear()));
}

#[test]
fn names_that_no_client_may_send_are_refused() {
    let refuses = |metric: &str, tags: &[(&str, &str)]| {
        let mut interval = one(metric, Kind::Gauge, Aggregate::Gauge(1.0));
        let series = Series::new(Kind::Gauge, metric, tags).unwrap();
        interval.points[0].series = Arc::new(series);
        decode(&encode(whole(&interval), &[], Origin::default()).body).is_err()
    };
    assert!(!refuses("m", &[("a", ""), ("b", "1")]));
    assert!(refuses("", &[]));
    assert!(refuses(&"m".repeat(513), &[]));
    assert!(refuses("a\nb", &[]));
    assert!(refuses("m", &[("", "1")]));
    assert!(refuses("m", &[("a", "\0")]));
    assert!(refuses("m", &[("a", &"x".repeat(10_000))]));
    let keys: Vec<String> = (0..129).map(|key| format!("k{key:03}")).collect();
    let tags: Vec<_> = keys.iter().map(|key| (&**key, "")).collect();
    assert!(refuses("m", &tags) && !refuses("m", &tags[..128]));
}

#[test]
fn tags_out_of_order_or_there_twice_are_refused() {
    let tags = |keys: &[&str]| {
        let mut bytes = Vec::new();
        msgpack::array(&mut bytes, 2 * keys.len());
        for key in keys {
            msgpack::string(&mut bytes, key);
            msgpack::string(&mut bytes, "v");
        }
        tags(&bytes).map(|tags| tags.len())
    };
    assert_eq!(tags(&["a", "b"]), Some(2));
    assert_eq!((tags(&["b", "a"]), tags(&["a", "a"])), (None, None));
}

#[test]
fn claimed_lengths_cost_nothing() {
    // Arrays of 2^32 - 1 and of 65,536 points, of which none is there.
    for claimed in [[0xff; 4], [0, 1, 0, 0]] {
        let mut body = vec![0x95, 0, 0, 0, 0, 0xdd];
        body.extend_from_slice(&claimed);
        assert!(decode(&body).is_err());
    }
    let mut frame = frame::framed(&[0x90], Compression::None).unwrap();
    assert!(frame::body(&frame).is_ok());
    frame[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let header = frame[..HEADER_BYTES].try_into().unwrap();
    assert!(matches!(frame::length(header), Err(FrameError::TooLong(_))));
    assert_eq!(frame::body(&frame), Err(FrameError::Checksum));
}

#[test]
fn a_body_that_unpacks_to_very_much_is_refused() {
    let zeros = vec![0; frame::BODY_BYTES_MAX + 1];
    let packing = Compression::Zstd(1);
    let packed = Compressor::new(packing).unwrap().compress(&zeros).unwrap();
    let frame = frame::framed(&packed, packing).unwrap();
    assert!(matches!(frame::body(&frame), Err(FrameError::TooLong(_))));
}

#[test]
fn changed_and_foreign_frames_are_told_apart() {
    let body = encode(whole(&Interval::default()), &[], Origin::default()).body;
    let frame = frame::framed(&body, Compression::None).unwrap();
    let mut changed = frame.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert_eq!(frame::body(&changed), Err(FrameError::Checksum));
    let mut newer = frame.clone();
    newer[4] = 2;
    assert_eq!(frame::body(&newer), Err(FrameError::Foreign));
    assert_eq!(
        frame::length(b"GET / HTTP/1.1\r\n"),
        Err(FrameError::Foreign)
    );
    assert_eq!(frame::body(&frame[..9]), Err(FrameError::Foreign));
}

#[test]
fn answers_are_for_one_frame() {
    let body = encode(whole(&Interval::default()), &[], Origin::default()).body;
    let sent = frame::framed(&body, Compression::None).unwrap();
    for status in [Status::Taken, Status::Busy, Status::Refused] {
        let mut answer = frame::answer(&sent, status);
        assert_eq!(frame::read_answer(&mut &answer[..], &sent).unwrap(), status);
        answer[8] ^= 1;
        assert!(frame::read_answer(&mut &answer[..], &sent).is_err());
    }
}
