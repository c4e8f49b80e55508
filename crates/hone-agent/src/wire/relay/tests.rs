//! What is encoded comes back, and nothing hostile does harm.

use super::frame::{self, FrameError, Status};
use super::*;
use crate::aggregate::{Aggregate, Buckets, Point, Summary};
use crate::compress::{Compression, Compressor};
use crate::sample::Kind;
use crate::series::Series;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::sync::Arc;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("equal to itself", |value| !value.is_nan()),
        (-1000..1000i32).prop_map(f64::from),
    ]
}

fn summary() -> impl Strategy<Value = Summary> {
    let quantiles = vec((number(), number()), 0..5);
    (number(), number(), number(), number(), quantiles).prop_map(
        |(count, sum, min, max, quantiles)| Summary {
            count,
            sum,
            min,
            max,
            quantiles,
        },
    )
}

fn side() -> impl Strategy<Value = Vec<(i32, f64)>> {
    btree_map(any::<i32>(), number(), 0..20).prop_map(|side| side.into_iter().collect())
}

fn buckets() -> impl Strategy<Value = Buckets> {
    (-4..=8i8, number(), side(), side()).prop_map(|(scale, zero, positive, negative)| Buckets {
        scale,
        zero,
        positive,
        negative,
    })
}

fn aggregate() -> impl Strategy<Value = Aggregate> {
    prop_oneof![
        (number(), number()).prop_map(|(total, delta)| Aggregate::Counter { total, delta }),
        number().prop_map(Aggregate::Rate),
        number().prop_map(Aggregate::Gauge),
        number().prop_map(Aggregate::Set),
        summary().prop_map(Aggregate::Timer),
        (summary(), buckets()).prop_map(|(summary, b)| Aggregate::Histogram(summary, b)),
        (summary(), buckets()).prop_map(|(summary, b)| Aggregate::Distribution(summary, b)),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Counter),
        Just(Kind::Rate),
        Just(Kind::Gauge),
        Just(Kind::Timer),
        Just(Kind::Histogram),
        Just(Kind::Distribution),
        Just(Kind::Set),
    ]
}

fn interval() -> impl Strategy<Value = Interval> {
    let tags = btree_map(".{0,8}", ".{0,40}", 0..6);
    let point = (kind(), ".{1,12}", tags, aggregate()).prop_map(|(kind, metric, tags, value)| {
        let tags: Vec<_> = tags.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let series = Arc::new(Series::new(kind, &metric, &tags).unwrap());
        Point { series, value }
    });
    (any::<i64>(), any::<u32>(), vec(point, 0..20)).prop_map(|(end_ms, length_ms, points)| {
        Interval {
            end_ms,
            length_ms,
            points,
        }
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_interval_comes_back(interval in interval(), source in 0..u64::MAX / 2, packing in 0..3) {
        let packing = [Compression::None, Compression::Snappy, Compression::Zstd(3)][packing as usize];
        let origin = Origin { source, sequence: 7 };
        let encoded = encode(whole(&interval), origin);
        prop_assert_eq!(encoded.points, interval.points.len() as u64);
        let packed = Compressor::new(packing).unwrap().compress(&encoded.body).unwrap();
        let sent = frame::framed(&packed, packing).unwrap();
        let mut twice = sent.clone();
        twice.extend_from_slice(&sent);
        let mut from = &twice[..];
        let first = frame::read(&mut from).unwrap().unwrap();
        prop_assert_eq!(&first.interval, &interval);
        prop_assert_eq!(first.origin, origin);
        prop_assert!(frame::read(&mut from).unwrap().is_some());
        prop_assert!(frame::read(&mut from).unwrap().is_none());
    }

    #[test]
    fn damaged_bodies_are_errors_and_never_a_crash(interval in interval(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut body = encode(whole(&interval), Origin::default()).body;
        let at = at.index(body.len());
        prop_assert!(decode(&body[..at]).is_err());
        body[at] = byte;
        // Either it is an error, or another interval that is valid in itself.
        if let Ok((_, other)) = decode(&body) {
            prop_assert!(other.points.len() <= body.len());
        }
    }

    #[test]
    fn noise_is_an_error(noise in vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&noise).is_err());
    }
}

#[test]
fn claimed_lengths_cost_nothing() {
    // An array of 2^32 - 1 points, of which none is there.
    let mut body = vec![0x95, 0, 0, 0, 0];
    body.extend_from_slice(&[0xdd, 0xff, 0xff, 0xff, 0xff]);
    assert!(decode(&body).is_err());
    let mut frame = frame::framed(&body, Compression::None).unwrap();
    frame[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(
        frame::read(&mut &frame[..]),
        Err(FrameError::TooLong(_))
    ));
    // Ten mebibytes claimed, ten bytes there.
    frame[8..12].copy_from_slice(&(10u32 << 20).to_le_bytes());
    assert!(matches!(
        frame::read(&mut &frame[..]),
        Err(FrameError::Connection(_))
    ));
}

#[test]
fn changed_and_foreign_frames_are_told_apart() {
    let body = encode(whole(&Interval::default()), Origin::default()).body;
    let frame = frame::framed(&body, Compression::None).unwrap();
    let read = |frame: &[u8]| frame::read(&mut &*frame);
    let mut changed = frame.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert!(matches!(read(&changed), Err(FrameError::Checksum)));
    let mut newer = frame.clone();
    newer[4] = 2;
    assert!(matches!(read(&newer), Err(FrameError::Foreign)));
    assert!(matches!(
        read(b"GET / HTTP/1.1\r\n\r\n"),
        Err(FrameError::Foreign)
    ));
    assert!(matches!(read(&frame[..9]), Err(FrameError::Connection(_))));
}

#[test]
fn answers_are_for_one_frame() {
    let body = encode(whole(&Interval::default()), Origin::default()).body;
    let sent = frame::framed(&body, Compression::None).unwrap();
    let taken = frame::read(&mut &sent[..]).unwrap().unwrap();
    for status in [Status::Taken, Status::Busy, Status::Refused] {
        let mut answer = Vec::new();
        frame::answer(&mut answer, taken.checksum, status).unwrap();
        assert_eq!(frame::read_answer(&mut &answer[..], &sent).unwrap(), status);
        answer[8] ^= 1;
        assert!(frame::read_answer(&mut &answer[..], &sent).is_err());
    }
}
