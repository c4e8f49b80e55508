//! Series that a back end could not tell apart: no body has two values of one name and time, and none of what was sent is
//! missing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hone_agent::aggregate::{Aggregate, Point};
use hone_agent::aggregator::Aggregator;
use hone_agent::flush::{Flusher, Settings, To};
use hone_agent::receive::{Handle, Origin, Protocol};
use hone_agent::sample::Kind;
use hone_agent::series::Series;
use hone_agent::store::Limits;
use hone_agent::wire::buckets::BucketSeries;
use hone_agent::wire::names::Rules;
use hone_agent::wire::remote_write_2::as_1::as_1;
use hone_agent::wire::{Format, NameForm, Options, Part, relay};
use proptest::prelude::*;
use prost::Message;
use testkit::remote_write::WriteRequest;

use super::oracle::Request2;

const SECONDS: f64 = 10.0;
const FORMATS: [Format; 4] = [
    Format::RemoteWrite1,
    Format::RemoteWrite2,
    Format::Graphite,
    Format::Relay,
];
const TYPES: [&str; 6] = ["c", "g", "ms", "h", "d", "s"];

/// Names and tags of which many are the same to some back end.
const NAMES: [&str; 13] = [
    "a.b",
    "a-b",
    "a_b",
    "a b",
    "a=b",
    "a_b_count",
    "a.b.count",
    "a_b_min",
    "a.b.min",
    "a_b_min_max",
    "a.b.p50",
    "a.b.p50_5",
    "a_b_bucket",
];
const TAGS: [&str; 12] = [
    "",
    "canary",
    "canary:",
    "canary:true",
    "host:h1",
    "host:h2",
    "k.l:1",
    "k-l:1",
    "k.l:1,k-l:2",
    "k.l:1;2",
    "quantile:0.5",
    "hone_type:gauge",
];

fn labels() -> Vec<(String, String)> {
    vec![("host".to_owned(), "h1".to_owned())]
}

fn rules() -> Vec<Rules> {
    let of = |format| Rules {
        format,
        labels: labels(),
        names: NameForm::default(),
    };
    FORMATS.map(of).into()
}

/// The names in the part's body, one for each value, labels sorted.
fn identities(format: Format, points: &[Point]) -> Vec<String> {
    let part = Part {
        end_ms: 1_700_000_000_000,
        length_ms: 10_000,
        points,
        ended: &[],
    };
    let options = Options {
        labels: labels(),
        buckets: BucketSeries::Le,
        ..Options::default()
    };
    let body = format.encode(part, &options, relay::Origin::default()).body;
    match format {
        Format::RemoteWrite1 => identities_of_1(&body),
        Format::RemoteWrite2 => {
            // As a back end gets it that takes remote write 1.0 alone.
            let as_1 = as_1(&body, options.buckets).unwrap();
            let mut seen = BTreeSet::new();
            for identity in identities_of_1(&as_1) {
                assert!(
                    seen.insert(identity.clone()),
                    "as 1.0, {identity} is there twice"
                );
            }
            let request = Request2::decode(&body[..]).unwrap();
            let text = |at: u32| request.symbols[at as usize].as_str();
            let series = request.timeseries.iter();
            series
                .map(|series| {
                    let pairs = series.labels_refs.chunks(2);
                    identity(pairs.map(|pair| (text(pair[0]), text(pair[1]))))
                })
                .collect()
        }
        Format::Graphite => {
            let body = String::from_utf8(body).unwrap();
            let lines = body.lines().map(|line| {
                let mut parts = line.split(' ').next().unwrap().split(';');
                let name = parts.next().unwrap();
                let tags = parts.map(|tag| tag.split_once('=').unwrap());
                identity(std::iter::once(("name", name)).chain(tags))
            });
            lines.collect()
        }
        Format::Relay => Vec::new(),
    }
}

fn identities_of_1(body: &[u8]) -> Vec<String> {
    let request = WriteRequest::decode(body).unwrap();
    let series = request.timeseries.iter().map(|series| {
        let labels = series.labels.iter();
        identity(labels.map(|label| (label.name.as_str(), label.value.as_str())))
    });
    series.collect()
}

/// Labels without a value are none, and one name has one value.
fn identity<'l>(labels: impl Iterator<Item = (&'l str, &'l str)>) -> String {
    let mut seen = BTreeMap::new();
    for (name, value) in labels.filter(|(_, value)| !value.is_empty()) {
        assert_eq!(seen.insert(name, value), None, "{name} is there twice");
    }
    format!("{seen:?}")
}

/// What all points of counters, of summaries and of sets come to: sums of all intervals, of this one, counts, members.
fn totals(points: &[Point]) -> [f64; 5] {
    let mut totals = [0.0; 5];
    for point in points {
        match &point.value {
            Aggregate::Counter { total, delta, .. } => {
                totals[0] += total;
                totals[1] += delta;
            }
            Aggregate::Rate(rate) => totals[1] += rate * SECONDS,
            Aggregate::Gauge(_) => {}
            Aggregate::Timer(summary, _)
            | Aggregate::Histogram(summary, _)
            | Aggregate::Distribution(summary, _) => {
                totals[2] += summary.count;
                totals[3] += summary.sum;
            }
            Aggregate::Set(set) => totals[4] += set.estimate(),
        }
    }
    totals
}

fn samples() -> impl Strategy<Value = Vec<Vec<(usize, usize, usize)>>> {
    let sample = (0..NAMES.len(), 0..TAGS.len(), 0..TYPES.len() + 1);
    prop::collection::vec(prop::collection::vec(sample, 0..40), 1..4)
}

/// A sample of each type as StatsD's line; of rates, which StatsD does not have, as the SDK's point.
fn packet((name, tags, kind): (usize, usize, usize), value: usize) -> (Protocol, Vec<u8>) {
    let (name, tags) = (NAMES[name], TAGS[tags]);
    match TYPES.get(kind) {
        Some(kind) => {
            let line = format!("{name}:{value}|{kind}|#{tags}");
            (Protocol::Statsd, line.into_bytes())
        }
        None => {
            let tags = tags.replace(':', "=").replace(',', "|");
            let mut packet = vec![0x94];
            for text in ["rate", name, &value.to_string(), &tags] {
                packet.push(0xa0 | text.len() as u8);
                packet.extend(text.as_bytes());
            }
            (Protocol::Sdk, packet)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_body_has_two_values_of_one_name_and_all_that_was_sent_is_there(intervals in samples()) {
        let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
        aggregator.tell_apart(rules());
        let (mut value, mut counted) = (0, 0.0);
        for interval in intervals {
            let mut worker = aggregator.worker();
            let mut expected = [0.0; 5];
            for sample in interval {
                value += 1;
                let (protocol, packet) = packet(sample, value);
                worker.packet(protocol, &packet, Origin::default());
                let number = value as f64;
                match TYPES.get(sample.2) {
                    Some(&"c") => {
                        counted += number;
                        expected[1] += number;
                    }
                    None => expected[1] += number,
                    Some(&"g") => {}
                    // Each member is another one.
                    Some(&"s") => expected[4] += 1.0,
                    Some(_) => {
                        expected[2] += 1.0;
                        expected[3] += number;
                    }
                }
            }
            expected[0] = counted;
            let mut points = Vec::new();
            let flushed = aggregator.last(vec![worker], 0, 10_000, |point| points.push(point));
            for (number, format) in FORMATS.into_iter().enumerate() {
                let apart = flushed.finished.apart.iter().filter(|(to, _)| to.has(number));
                let sent: Vec<Point> = points.iter().chain(apart.map(|(_, point)| point)).cloned().collect();
                let mut seen = BTreeSet::new();
                for identity in identities(format, &sent) {
                    prop_assert!(seen.insert(identity.clone()), "{:?} has {} twice", format, identity);
                }
                for (total, expected) in totals(&sent).into_iter().zip(expected) {
                    prop_assert!((total - expected).abs() < 1e-6 * expected.max(1.0), "{:?}: {} is not {}", format, total, expected);
                }
            }
        }
    }
}

/// Samples of an interval each, by the rules of remote write; what it is sent.
fn told(intervals: &[&[&str]], settings: Settings) -> Vec<Vec<(String, Aggregate)>> {
    let mut aggregator = Aggregator::new(settings, Limits::default());
    aggregator.tell_apart(rules());
    let intervals = intervals.iter().enumerate().map(|(number, lines)| {
        let mut worker = aggregator.worker();
        for line in *lines {
            worker.packet(Protocol::Statsd, line.as_bytes(), Origin::default());
        }
        let mut points = Vec::new();
        let end_ms = (number as i64 + 1) * 10_000;
        let flushed = aggregator.last(vec![worker], end_ms, 10_000, |point| points.push(point));
        let apart = flushed.finished.apart.into_iter();
        points.extend(apart.filter(|(to, _)| to.has(0)).map(|(_, point)| point));
        let told = points.into_iter().map(|Point { series, value }| {
            let tags: Vec<_> = series
                .tags()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            (format!("{}{{{}}}", series.metric(), tags.join(",")), value)
        });
        let mut told: Vec<_> = told.collect();
        told.sort_by(|a, b| a.0.cmp(&b.0));
        told
    });
    intervals.collect()
}

fn counter(name: &str, total: f64, delta: f64, since_ms: i64) -> (String, Aggregate) {
    let value = Aggregate::Counter {
        total,
        delta,
        since_ms,
        is_new: false,
    };
    (name.to_owned(), value)
}

/// A sum that falls would be a restart to `rate`, and its whole value an increase.
#[test]
fn the_sum_of_merged_counters_never_falls_when_one_of_them_expires() {
    let settings = Settings {
        expires_after: 2,
        ..Settings::default()
    };
    let intervals: [&[&str]; 6] = [
        &["a.b:100|c"],
        &["a.b:1|c", "a-b:20|c"],
        &["a-b:1|c"],
        &["a-b:1|c"],
        &["a-b:1|c"],
        &["a.b:5|c"],
    ];
    let told = told(&intervals, settings);
    let expected = [
        (100.0, 100.0),
        (121.0, 21.0),
        (122.0, 1.0),
        (123.0, 1.0),
        (124.0, 1.0),
        (129.0, 5.0),
    ];
    for (number, (told, (total, delta))) in told.into_iter().zip(expected).enumerate() {
        let [(_, value)] = &told[..] else {
            panic!("interval {number}: {told:?}");
        };
        let mut expected = counter("", total, delta, 1).1;
        // The second of them goes on with the sum of the first.
        if let Aggregate::Counter { is_new, .. } = &mut expected {
            *is_new = number == 0;
        }
        assert_eq!(*value, expected, "{number}");
    }
}

#[test]
fn a_gauge_of_several_names_is_what_came_last() {
    let told = told(
        &[&["a.b:1|g"], &["a-b:7|g"], &["a.b:+2|g"]],
        Settings::default(),
    );
    let values: Vec<_> = told.into_iter().map(|told| told[0].1.clone()).collect();
    assert_eq!(values, [1.0, 7.0, 9.0].map(Aggregate::Gauge));
}

#[test]
fn types_are_told_apart_by_a_tag_and_stay_so() {
    let settings = Settings {
        expires_after: 2,
        ..Settings::default()
    };
    let intervals: [&[&str]; 5] = [
        &["x:3|c"],
        &["x:8|g", "x:1|c"],
        &["x:8|g"],
        &["x:8|g"],
        &["x:9|g"],
    ];
    let told = told(&intervals, settings);
    let gauge = |value| ("x{hone_type=gauge}".to_owned(), Aggregate::Gauge(value));
    assert_eq!(told[1], [gauge(8.0), counter("x{}", 4.0, 1.0, 1)]);
    assert_eq!(told[4], [gauge(9.0)]);
}

/// What the agent tells of itself has a name of its own, whatever clients send.
#[test]
fn figures_of_the_agent_itself_are_told_from_those_of_clients() {
    let mut flusher = Flusher::new(Settings::default());
    flusher.tell_apart(rules());
    let series = Series::new(Kind::Counter, "hone.agent.values", &[]).unwrap();
    let point = |tag: Option<&str>| Point {
        series: match tag {
            None => Arc::new(series.clone()),
            Some(tag) => {
                let tags = [("hone_type", tag)];
                Arc::new(Series::new(Kind::Counter, "hone.agent.values", &tags).unwrap())
            }
        },
        value: counter("", 1.0, 1.0, 0).1,
    };
    let own = |flusher: &mut Flusher| {
        let mut told = Vec::new();
        flusher.own(point(None), |to, point| told.push((to, point)));
        flusher.own_finish();
        told
    };
    assert_eq!(own(&mut flusher), [(To::ALL, point(None))]);
    let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
    aggregator.tell_apart(rules());
    let mut worker = aggregator.worker();
    worker.packet(
        Protocol::Statsd,
        b"hone_agent_values:5|c",
        Origin::default(),
    );
    aggregator.last(vec![worker], 0, 0, |_| {});
    let mut told = Vec::new();
    aggregator.own(vec![point(None)], |to, point| told.push((to, point)));
    let of = |number| -> Vec<&Point> {
        let own = told.iter().filter(|(to, _)| to.has(number));
        own.map(|(_, point)| point).collect()
    };
    // To Graphite and the relay they are two names.
    assert_eq!(of(0), [&point(Some("agent"))]);
    assert_eq!((of(2), of(3)), (vec![&point(None)], vec![&point(None)]));
}

#[test]
fn what_shares_a_name_is_told() {
    let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
    aggregator.tell_apart(rules()[..1].to_vec());
    let mut worker = aggregator.worker();
    let lines = b"a.b:1|c\na-b:1|c\na_b:1|c\na.b:1|g\nalone:1|c";
    worker.packet(Protocol::Statsd, lines, Origin::default());
    let flushed = aggregator.last(vec![worker], 0, 10_000, |_| {});
    let collided = flushed.finished.collided;
    assert_eq!((collided.merged, collided.told_apart), (2, 1));
    let shared = aggregator.shared(10);
    let told: Vec<_> = shared
        .iter()
        .map(|shared| (shared.sent_as.tag("hone_type"), shared.count))
        .collect();
    assert_eq!(told, [(None, 3), (Some("gauge"), 1)]);
}

/// Nothing here takes time by the square of how many they are: with all series that an agent may hold it would stand still.
#[test]
fn very_many_of_one_name_come_and_go() {
    const MANY: usize = 20_000;
    let settings = Settings {
        expires_after: 1,
        distributions_expire_after: 1,
        ..Settings::default()
    };
    let mut aggregator = Aggregator::new(settings, Limits::default());
    aggregator.tell_apart(rules());
    let flush = |aggregator: &mut Aggregator, lines: &str| {
        let mut worker = aggregator.worker();
        worker.packet(Protocol::Statsd, lines.as_bytes(), Origin::default());
        let mut points = 0;
        let flushed = aggregator.last(vec![worker], 0, 10_000, |_| points += 1);
        (points, flushed.finished)
    };
    let mut lines = String::new();
    for number in 0..MANY {
        // To Graphite each could be a percentile of the timer; to Prometheus all with the same tag are one.
        let bits: String = (0..15)
            .map(|bit| if number >> bit & 1 == 1 { '.' } else { '-' })
            .collect();
        lines += &format!("t.p{number}:1|c\na{bits}:1|c\n");
    }
    let (points, finished) = flush(&mut aggregator, &(lines + "t:1|ms"));
    // In both versions of remote write, and the timer in Graphite.
    assert_eq!(finished.collided.merged as usize, 2 * (MANY - 1));
    assert_eq!(finished.collided.told_apart, 1);
    assert_eq!(points, MANY);
    let of_remote_write = finished
        .apart
        .iter()
        .filter(|(to, _)| to.has(0))
        .map(|(_, point)| point);
    let of_remote_write: Vec<_> = of_remote_write.cloned().collect();
    assert_eq!(totals(&of_remote_write)[0], MANY as f64);
    for _ in 0..3 {
        flush(&mut aggregator, "");
    }
    assert_eq!((aggregator.series(), aggregator.shared(10)), (0, vec![]));
    let (points, finished) = flush(&mut aggregator, "t:1|ms");
    assert_eq!((points, finished.apart.len()), (1, 0));
}
