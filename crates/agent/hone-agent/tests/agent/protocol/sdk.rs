//! The SDK's packets, written by another library and judged by it.

use hone_agent::protocol::Parsed;
use hone_agent::protocol::sdk::parse;
use hone_agent::sample::{Kind, TagSyntax};
use proptest::prelude::*;
use rmpv::Value;

use super::kept::{Kept, plain, read_by};
use super::mutated::mutated;

pub(crate) fn read(packet: &[u8]) -> (Vec<Kept>, Parsed) {
    read_by(|sink| parse(packet, &mut |sample| sink(sample)))
}

/// A point as a client writes it.
fn point(parts: &[&str]) -> Value {
    parts.iter().map(|part| Value::from(*part)).collect()
}

fn written(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    rmpv::encode::write_value(&mut bytes, value).unwrap();
    bytes
}

fn batch(points: &[&[&str]]) -> Vec<u8> {
    written(&points.iter().map(|parts| point(parts)).collect())
}

fn counter(metric: &str, tags: &str) -> Kept {
    Kept {
        tags: tags.into(),
        syntax: TagSyntax::Sdk,
        ..plain(metric)
    }
}

#[test]
fn a_batch_a_bare_point_and_a_timestamp() {
    let (samples, parsed) = read(&batch(&[
        &["counter", "a", "1", "k=v|k2=v2"],
        &["counter", "b", "1", "", "1700000000"],
        &["counter", "c", "1", "", ""],
    ]));
    let timed = Kept {
        time_s: Some(1_700_000_000),
        ..counter("b", "")
    };
    assert_eq!(
        samples,
        [counter("a", "k=v|k2=v2"), timed, counter("c", "")]
    );
    assert_eq!((parsed.samples, parsed.malformed), (3, 0));
    let (samples, _) = read(&written(&point(&["counter", "a", "1", "k=v"])));
    assert_eq!(samples, [counter("a", "k=v")]);
}

#[test]
fn every_type_has_its_names() {
    for (names, kind) in [
        (&["counter", "c"][..], Kind::Counter),
        (&["rate", "r"], Kind::Rate),
        (&["gauge", "store", "g"], Kind::Gauge),
        (&["timer", "t", "ms"], Kind::Timer),
        (&["histogram", "h"], Kind::Histogram),
        (&["distribution", "d"], Kind::Distribution),
        (&["set", "s"], Kind::Set),
    ] {
        for name in names {
            let (samples, _) = read(&written(&point(&[name, "m", "-1.5", ""])));
            assert_eq!(samples[0].kind, kind, "{name}");
            assert_eq!(samples[0].change, None, "{name}");
        }
    }
}

#[test]
fn every_length_of_head_is_read_and_bytes_are_text() {
    let long = "v".repeat(70_000);
    for value in ["v", &long[..40], &long[..300], &long[..]] {
        let (samples, _) = read(&batch(&[&["set", "m", value, ""]]));
        assert_eq!(samples[0].member.as_deref(), Some(value));
        let parts = ["set", "m", value, ""].map(|part| Value::from(part.as_bytes()));
        let (samples, _) = read(&written(&parts.into_iter().collect()));
        assert_eq!(samples[0].member.as_deref(), Some(value));
    }
    for points in [15, 16, 70_000] {
        let (samples, parsed) = read(&batch(&vec![&["c", "m", "1", ""][..]; points]));
        assert_eq!((samples.len(), parsed.malformed), (points, 0));
    }
}

#[test]
fn malformed_points_are_counted_and_their_neighbours_kept() {
    let good = point(&["c", "m", "1", ""]);
    let malformed = [
        Value::Nil,
        Value::from(1),
        Value::from("c"),
        Value::Array(vec![]),
        Value::Map(vec![(Value::from("c"), good.clone())]),
        Value::Array(vec![good.clone(), good.clone()]),
        point(&["c", "m", "1"]),
        point(&["c", "m", "1", "", "", ""]),
        point(&["counters", "m", "1", ""]),
        point(&["", "m", "1", ""]),
        point(&["c", "", "1", ""]),
        point(&["c", "m", "", ""]),
        point(&["c", "m", "nan", ""]),
        point(&["c", "m", "1:2", ""]),
        point(&["s", "m", "", ""]),
        point(&["c", "m", "1", "", "soon"]),
        Value::Array(vec!["c".into(), "m".into(), Value::from(1), "".into()]),
        Value::Array(vec!["c".into(), "m".into(), "1".into(), good.clone()]),
    ];
    for value in malformed {
        let packet = written(&Value::Array(vec![
            good.clone(),
            value.clone(),
            good.clone(),
        ]));
        let (samples, parsed) = read(&packet);
        assert_eq!(samples.len(), 2, "{value}");
        assert_eq!((parsed.malformed, parsed.unread_bytes), (1, 0), "{value}");
    }
}

#[test]
fn a_packet_that_breaks_off_keeps_what_is_whole() {
    let points: Vec<Vec<u8>> = ["first", "second", "third"]
        .map(|metric| written(&point(&["c", metric, "1", "k=v"])))
        .into();
    let packet = [&[0x93][..], &points.concat()].concat();
    let ends = [0, 1, 2, 3].map(|count| 1 + points[..count].concat().len());
    for cut in 1..packet.len() {
        let (samples, parsed) = read(&packet[..cut]);
        let whole = (1..=3).filter(|count| ends[*count] <= cut).count();
        assert_eq!(samples.len(), whole);
        let unread = (cut - ends[whole]) as u64;
        assert_eq!((parsed.malformed, parsed.unread_bytes), (1, unread));
    }
    assert_eq!(read(b"").1, Parsed::default());
    assert_eq!(read(&[0x90]).1, Parsed::default());
}

#[test]
fn what_follows_a_packet_is_malformed() {
    let packet = [batch(&[&["c", "m", "1", ""]]), b"rest".to_vec()].concat();
    let (samples, parsed) = read(&packet);
    assert_eq!(samples, [counter("m", "")]);
    assert_eq!((parsed.malformed, parsed.unread_bytes), (1, 4));
}

#[test]
fn a_claimed_length_is_no_reason_to_allocate() {
    for claim in [
        [0xdd, 0xff, 0xff, 0xff, 0xff],
        [0xdb, 0xff, 0xff, 0xff, 0xff],
    ] {
        assert_eq!(read(&claim).1.malformed, 1);
        let (_, parsed) = read(&[&[0x91][..], &claim].concat());
        assert_eq!((parsed.malformed, parsed.samples), (1, 0));
    }
}

/// A string that is likely to mean something in its place, or not.
fn part(likely: &'static str) -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => likely.prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => likely.prop_map(|text| Value::from(text.into_bytes())),
        1 => any::<i32>().prop_map(Value::from),
        1 => Just(Value::Array(vec![Value::from("c"), Value::Nil])),
    ]
}

fn any_point() -> impl Strategy<Value = Value> {
    let kind = part("counter|rate|gauge|store|timer|histogram|distribution|set|c|r|g|t|ms|h|d|s");
    let required = (
        kind,
        part("[a-z.]{1,40}"),
        part("-?[0-9]{1,6}(\\.[0-9]{1,3})?"),
        part("([a-c]=[a-c]{0,40}[| ]){0,6}"),
    );
    let time = prop::option::of(part("[0-9]{10}"));
    prop_oneof![
        20 => (required, time).prop_map(|((kind, metric, value, tags), time)| {
            [Some(kind), Some(metric), Some(value), Some(tags), time].into_iter().flatten().collect()
        }),
        1 => any::<bool>().prop_map(Value::from),
        1 => "[a-z]{0,5}".prop_map(Value::from),
        1 => prop::collection::vec("[a-z]{0,5}".prop_map(Value::from), 0..8).prop_map(Value::from),
    ]
}

/// Batches and bare points, most of them whole.
pub(crate) fn any_packet() -> impl Strategy<Value = Vec<u8>> {
    let batch = prop::collection::vec(any_point(), 0..20).prop_map(Value::from);
    prop_oneof![batch, any_point()].prop_map(|value| written(&value))
}

/// How many samples and malformed points the values of another reader make.
fn judged(value: &Value) -> (u64, u64) {
    let Value::Array(elements) = value else {
        return (0, 1);
    };
    let is_text = |value: &Value| matches!(value, Value::String(_) | Value::Binary(_));
    let is_bare = elements.first().is_some_and(is_text);
    let points = match is_bare {
        true => std::slice::from_ref(value),
        false => &elements[..],
    };
    let good = points.iter().filter(|point| is_good(point)).count();
    (good as u64, (points.len() - good) as u64)
}

fn is_good(point: &Value) -> bool {
    let bytes = |value: &Value| match value {
        Value::String(text) => Some(text.as_bytes().to_vec()),
        Value::Binary(bytes) => Some(bytes.clone()),
        _ => None,
    };
    let Some(parts) = point.as_array() else {
        return false;
    };
    let parts: Option<Vec<Vec<u8>>> = parts.iter().map(bytes).collect();
    let Some([kind, metric, value, _, time @ ..]) = parts.as_deref() else {
        return false;
    };
    let names = "counter c rate r gauge store g timer t ms histogram h distribution d set s";
    let is_kind = names.split(' ').any(|name| name.as_bytes() == &kind[..]);
    let number = String::from_utf8(value.clone())
        .ok()
        .and_then(|text| text.parse().ok());
    let is_value = match &kind[..] {
        b"set" | b"s" => !value.is_empty(),
        _ => number.is_some_and(f64::is_finite),
    };
    let is_time = match time {
        [] => true,
        [time] => time.len() < 20 && time.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    is_kind && !metric.is_empty() && is_value && is_time
}

proptest! {
    #[test]
    fn nearly_right_packets_are_judged_as_another_reader_judges(packet in mutated(any_packet())) {
        let (_, parsed) = read(&packet);
        let mut rest = &packet[..];
        match rmpv::decode::read_value(&mut rest) {
            // That reader takes the byte that msgpack never uses for nil.
            Ok(value) if !packet.contains(&0xc1) => {
                let trailing = u64::from(value.is_array() && !rest.is_empty());
                let (good, malformed) = judged(&value);
                prop_assert_eq!((parsed.samples, parsed.malformed), (good, malformed + trailing));
            }
            Ok(_) => {}
            Err(_) if packet.is_empty() => prop_assert_eq!(parsed, Parsed::default()),
            Err(_) => prop_assert!(parsed.malformed > 0),
        }
    }

    #[test]
    fn any_bytes_are_accounted_for(packet in prop::collection::vec(any::<u8>(), 0..300)) {
        let (_, parsed) = read(&packet);
        let is_nothing = matches!(packet[..], [] | [0x90] | [0xdc, 0, 0] | [0xdd, 0, 0, 0, 0]);
        prop_assert_eq!(is_nothing, parsed.samples + parsed.malformed == 0);
        prop_assert!(parsed.samples + parsed.malformed <= packet.len() as u64 + 1);
        prop_assert!(parsed.unread_bytes <= packet.len() as u64);
    }
}
