//! What the encoders wrote, read by prost with messages derived from the published definitions.

use hone_agent::aggregate::{Aggregate, Buckets, Interval, Summary};
use hone_agent::sample::Kind;
use hone_agent::wire::buckets::BucketSeries;
use hone_agent::wire::ended::Held;
use hone_agent::wire::remote_write_2::as_1::as_1;
use hone_agent::wire::{self, Options, Part, plain, remote_write_1, remote_write_2};
use prost::Message;
use testkit::remote_write::{Label, Sample, WriteRequest};

use super::fixture::{END_MS, SINCE_MS, buckets, interval, point, summary};

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Request2 {
    #[prost(string, repeated, tag = "4")]
    pub(crate) symbols: Vec<String>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) timeseries: Vec<TimeSeries2>,
}
#[derive(Clone, PartialEq, Message)]
pub(crate) struct TimeSeries2 {
    #[prost(uint32, repeated, tag = "1")]
    pub(crate) labels_refs: Vec<u32>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) samples: Vec<Sample>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) histograms: Vec<Histogram>,
    #[prost(message, optional, tag = "5")]
    pub(crate) metadata: Option<Metadata>,
}
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Metadata {
    #[prost(int32, tag = "1")]
    pub(crate) metric_type: i32,
}
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Histogram {
    #[prost(uint64, optional, tag = "1")]
    count_int: Option<u64>,
    #[prost(double, optional, tag = "2")]
    count_float: Option<f64>,
    #[prost(double, tag = "3")]
    sum: f64,
    #[prost(sint32, tag = "4")]
    schema: i32,
    #[prost(double, tag = "5")]
    zero_threshold: f64,
    #[prost(uint64, optional, tag = "6")]
    zero_int: Option<u64>,
    #[prost(double, optional, tag = "7")]
    zero_float: Option<f64>,
    #[prost(message, repeated, tag = "8")]
    negative_spans: Vec<Span>,
    #[prost(sint64, repeated, tag = "9")]
    negative_deltas: Vec<i64>,
    #[prost(double, repeated, tag = "10")]
    negative_counts: Vec<f64>,
    #[prost(message, repeated, tag = "11")]
    positive_spans: Vec<Span>,
    #[prost(sint64, repeated, tag = "12")]
    positive_deltas: Vec<i64>,
    #[prost(double, repeated, tag = "13")]
    positive_counts: Vec<f64>,
    #[prost(int32, tag = "14")]
    reset_hint: i32,
    #[prost(int64, tag = "15")]
    timestamp: i64,
}
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Span {
    #[prost(sint32, tag = "1")]
    offset: i32,
    #[prost(uint32, tag = "2")]
    length: u32,
}

type Labels = Vec<(String, String)>;

fn part(interval: &Interval) -> Part<'_> {
    wire::parts(interval, usize::MAX).next().unwrap()
}

fn options() -> Options {
    Options {
        labels: vec![("region".to_owned(), "r1".to_owned())],
        started_ms: 1_600_000_000_000,
        ..Options::default()
    }
}

/// What `plain` says the series are: labels, value and type.
fn expected(interval: &Interval) -> Vec<(Labels, f64, i32)> {
    let mut series = Vec::new();
    let options = options();
    for point in &interval.points {
        plain::flatten(point, &options, |flat| {
            let labels = flat.labels();
            let labels = labels.map(|(name, value)| (name.to_owned(), value.to_owned()));
            series.push((labels.collect(), flat.value, flat.metric_type as i32));
        });
    }
    series
}

fn assert_valid(labels: &Labels) {
    assert!(
        labels.windows(2).all(|pair| pair[0].0 < pair[1].0),
        "{labels:?}"
    );
    assert!(labels.iter().any(|(name, _)| name == "__name__"));
    assert!(labels.iter().all(|(_, value)| !value.is_empty()));
}

#[test]
fn remote_write_1_says_what_the_flat_series_are() {
    let interval = interval();
    let encoded = remote_write_1::encode(part(&interval), &options());
    let request = WriteRequest::decode(&encoded.body[..]).unwrap();
    let expected = expected(&interval);
    assert_eq!((encoded.points, encoded.histograms), (7, 0));
    assert_eq!(encoded.samples as usize, expected.len());
    assert_eq!(request.timeseries.len(), expected.len());
    for (series, (labels, value, _)) in request.timeseries.iter().zip(expected) {
        let pair = |label: &Label| (label.name.clone(), label.value.clone());
        let own: Labels = series.labels.iter().map(pair).collect();
        assert_valid(&own);
        assert_eq!(own, labels);
        let sample = Sample {
            value,
            timestamp: END_MS,
            start_timestamp: 0,
        };
        assert_eq!(series.samples, [sample]);
    }
    // The same bytes that prost writes: nothing is there twice or in another order.
    assert_eq!(request.encode_to_vec(), encoded.body);
}

fn labels_of(request: &Request2, series: &TimeSeries2) -> Labels {
    let symbol = |index: u32| request.symbols[index as usize].clone();
    let pairs = series.labels_refs.chunks_exact(2);
    pairs
        .map(|pair| (symbol(pair[0]), symbol(pair[1])))
        .collect()
}

fn decode_2(interval: &Interval) -> (wire::Encoded, Request2) {
    let encoded = remote_write_2::encode(part(interval), &options());
    let request = Request2::decode(&encoded.body[..]).unwrap();
    (encoded, request)
}

#[test]
fn remote_write_2_keeps_every_must_of_the_message() {
    let (encoded, request) = decode_2(&interval());
    assert_eq!(request.encode_to_vec(), encoded.body);
    assert_eq!(request.symbols[0], "");
    let mut unique = request.symbols.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), request.symbols.len());
    let count = |of: fn(&TimeSeries2) -> usize| request.timeseries.iter().map(of).sum::<usize>();
    assert_eq!(count(|series| series.samples.len()) as u64, encoded.samples);
    let histograms = count(|series| series.histograms.len()) as u64;
    assert_eq!((histograms, encoded.histograms), (2, 2));
    for series in &request.timeseries {
        assert!(series.labels_refs.len().is_multiple_of(2));
        assert_valid(&labels_of(&request, series));
        assert!(series.samples.is_empty() != series.histograms.is_empty());
        let metric_type = series.metadata.unwrap().metric_type;
        let started = match metric_type {
            1 => SINCE_MS,
            _ => 0,
        };
        assert!([1, 2, 4].contains(&metric_type));
        for sample in &series.samples {
            assert_eq!(
                (sample.timestamp, sample.start_timestamp),
                (END_MS, started)
            );
        }
    }
    // A receiver of 1.0 finds nothing in it instead of nonsense.
    assert!(
        WriteRequest::decode(&encoded.body[..])
            .unwrap()
            .timeseries
            .is_empty()
    );
}

#[test]
fn a_counter_that_came_up_with_the_agent_began_when_the_agent_did() {
    let mut interval = interval();
    for point in &mut interval.points {
        if let Aggregate::Counter { since_ms, .. } = &mut point.value {
            *since_ms = 0;
        }
    }
    let (_, request) = decode_2(&interval);
    let samples = request.timeseries.iter().flat_map(|series| &series.samples);
    let starts = samples.map(|sample| sample.start_timestamp);
    let starts: Vec<i64> = starts.filter(|start| *start != 0).collect();
    assert_eq!(starts, [1_600_000_000_000]);
}

/// A back end sees by how much a series grew only between two of its samples.
#[test]
fn the_first_sum_of_a_counter_comes_after_a_zero() {
    let mut interval = interval();
    interval.points.truncate(1);
    let Aggregate::Counter { is_new, .. } = &mut interval.points[0].value else {
        panic!("{interval:?}");
    };
    *is_new = true;
    let first = remote_write_1::encode(part(&interval), &options());
    let (second, request) = decode_2(&interval);
    assert_eq!((first.points, first.samples), (1, 2));
    assert_eq!((second.points, second.samples), (1, 2));
    let sample = |(value, timestamp), start_timestamp| Sample {
        value,
        timestamp,
        start_timestamp,
    };
    let (zero, sum) = ((0.0, SINCE_MS), (42.0, END_MS));
    let of_2 = [sample(zero, 0), sample(sum, SINCE_MS)];
    assert_eq!(request.timeseries[0].samples, of_2);
    let converted = as_1(&second.body, BucketSeries::None).unwrap();
    for body in [&first.body, &converted] {
        let request = WriteRequest::decode(&body[..]).unwrap();
        assert_eq!(request.timeseries.len(), 1);
        let of_1 = [sample(zero, 0), sample(sum, 0)];
        assert_eq!(request.timeseries[0].samples, of_1);
    }
}

#[test]
fn series_that_ended_are_marked_as_stale() {
    let interval = interval();
    let mut held = Held::default();
    held.note(&interval.points);
    assert!(held.ended().is_empty());
    let mut ended = held.ended();
    ended.sort_by(|a, b| a.metric().cmp(b.metric()));
    let part = wire::parts_of_ended(&interval, &ended, 10).next().unwrap();
    let first = remote_write_1::encode(part, &options());
    let second = remote_write_2::encode(part, &options());
    assert_eq!((first.points, first.samples, second.samples), (0, 2, 2));
    let first = WriteRequest::decode(&first.body[..]).unwrap();
    let second = Request2::decode(&second.body[..]).unwrap();
    let names = ["queue_length", "requests"];
    for (index, name) in names.into_iter().enumerate() {
        let own = &first.timeseries[index];
        let label = own.labels.iter().find(|label| label.name == "__name__");
        assert_eq!(label.unwrap().value, name);
        assert_eq!(own.samples[0].value.to_bits(), 0x7ff0_0000_0000_0002);
        assert_eq!(own.samples[0].timestamp, END_MS);
        let own = &second.timeseries[index];
        let name = ("__name__".to_owned(), name.to_owned());
        assert!(labels_of(&second, own).contains(&name));
        assert_eq!(own.samples[0].value.to_bits(), plain::STALE.to_bits());
    }
}

#[test]
fn remote_write_2_has_the_flat_series_of_what_has_no_buckets() {
    let mut interval = interval();
    interval.points.retain(|point| {
        !matches!(
            point.value,
            Aggregate::Histogram(..) | Aggregate::Distribution(..)
        )
    });
    let (_, request) = decode_2(&interval);
    let seen = request.timeseries.iter().map(|series| {
        let metric_type = series.metadata.unwrap().metric_type;
        (
            labels_of(&request, series),
            series.samples[0].value,
            metric_type,
        )
    });
    assert_eq!(seen.collect::<Vec<_>>(), expected(&interval));
}

/// Whoever gets 1.0 since it refused 2.0 gets what it would have got at once.
#[test]
fn remote_write_2_becomes_what_1_would_have_been() {
    let mut ended = interval()
        .points
        .into_iter()
        .map(|point| point.series)
        .collect::<Vec<_>>();
    ended.truncate(1);
    let mut interval = interval();
    // Weights with fractions, and a value that is there and zero.
    let fractions = Buckets {
        zero: 0.5,
        ..buckets()
    };
    let odd = Aggregate::Histogram(Box::default(), Box::new(fractions));
    interval
        .points
        .push(point(Kind::Histogram, "fractions", &[], odd));
    let zero = Aggregate::Gauge(0.0);
    interval
        .points
        .push(point(Kind::Gauge, "zero", &[("le", "x")], zero));
    let part = Part {
        ended: &ended,
        ..part(&interval)
    };
    for form in [BucketSeries::VmRange, BucketSeries::Le, BucketSeries::None] {
        let options = Options {
            buckets: form,
            ..options()
        };
        let read = |body: &[u8]| {
            let mut series = WriteRequest::decode(body).unwrap().timeseries;
            series.sort_by_key(|series| format!("{:?}", series.labels));
            // A marker is no number that equals itself.
            format!("{series:#?}")
        };
        let second = remote_write_2::encode(part, &options);
        let converted = as_1(&second.body, form).unwrap();
        let first = remote_write_1::encode(part, &options);
        assert_eq!(read(&converted), read(&first.body), "{form:?}");
        for end in 0..second.body.len() {
            // Whatever a damaged one gives, it is no crash.
            let _ = as_1(&second.body[..end], form);
        }
    }
}

fn histogram(summary: Summary, buckets: Buckets) -> Histogram {
    let value = Aggregate::Histogram(Box::new(summary), Box::new(buckets));
    let interval = Interval {
        end_ms: END_MS,
        length_ms: 10_000,
        points: vec![point(Kind::Histogram, "h", &[], value)],
    };
    let (_, request) = decode_2(&interval);
    request.timeseries[0].histograms[0].clone()
}

fn span(offset: i32, length: u32) -> Span {
    Span { offset, length }
}

#[test]
fn whole_weights_become_an_integer_histogram() {
    // (1.68, 2], (2, 2.38] and (8, 9.51]: native numbers 4, 5 and 13.
    let histogram = histogram(summary(), buckets());
    assert_eq!(
        (histogram.count_int, histogram.count_float),
        (Some(6), None)
    );
    assert_eq!((histogram.zero_int, histogram.zero_float), (Some(1), None));
    assert_eq!((histogram.sum, histogram.schema), (21.5, 2));
    assert_eq!(histogram.positive_spans, [span(4, 2), span(7, 1)]);
    assert_eq!(histogram.positive_deltas, [2, -1, 0]);
    assert_eq!(histogram.negative_spans, [span(3, 1)]);
    assert_eq!(histogram.negative_deltas, [1]);
    assert!(histogram.positive_counts.is_empty());
    assert_eq!((histogram.reset_hint, histogram.timestamp), (3, END_MS));
    assert_eq!(histogram.zero_threshold, (-128f64).exp2());
}

#[test]
fn weights_with_fractions_become_a_float_histogram() {
    let mut buckets = buckets();
    buckets.zero = 0.0;
    buckets.positive[0].1 = 2.5;
    let histogram = histogram(summary(), buckets);
    assert_eq!(
        (histogram.count_int, histogram.count_float),
        (None, Some(6.0))
    );
    assert_eq!(
        (histogram.zero_int, histogram.zero_float),
        (None, Some(0.0))
    );
    assert_eq!(histogram.positive_counts, [2.5, 1.0, 1.0]);
    assert_eq!(histogram.negative_counts, [1.0]);
    assert!(histogram.positive_deltas.is_empty());
}

#[test]
fn a_count_that_is_not_that_of_the_buckets_is_not_written_as_integers() {
    let summary = Summary {
        count: 7.0,
        ..summary()
    };
    assert_eq!(histogram(summary, buckets()).count_float, Some(7.0));
}
