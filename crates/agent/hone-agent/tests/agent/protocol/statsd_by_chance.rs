//! Lines made by chance: those that are right say what they were made of, all others are counted.

use hone_agent::protocol::Parsed;
use hone_agent::sample::{Kind, TagSyntax};
use proptest::prelude::*;

use super::kept::{Kept, plain};
use super::mutated::mutated;
use super::statsd::read;

/// Where tags stand.
#[derive(Clone, Copy, Debug)]
enum Dialect {
    DogStatsD,
    Librato,
    InfluxDB,
    SignalFx,
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(vec![
        Dialect::DogStatsD,
        Dialect::Librato,
        Dialect::InfluxDB,
        Dialect::SignalFx,
    ])
}

const KINDS: [(&str, Kind); 4] = [
    ("c", Kind::Counter),
    ("ms", Kind::Timer),
    ("h", Kind::Histogram),
    ("d", Kind::Distribution),
];

/// A line and the sample that it is.
fn line() -> impl Strategy<Value = (String, Kept)> {
    let tag = ("[a-z_]{1,8}", "[a-zA-Z0-9./-]{0,12}");
    let what = (
        "[a-zA-Z][a-zA-Z0-9._-]{0,40}",
        prop::sample::select(KINDS.to_vec()),
        prop::collection::vec(-1e6..1e6_f64, 1..6),
        prop::collection::vec(tag, 1..7),
    );
    let how = (
        dialect(),
        prop::option::of(0.001..=1.0_f64),
        prop::option::of(0..10_000_000_000_u64),
        prop::option::of("ci-[0-9a-f]{8}"),
    );
    (what, how).prop_map(|(what, how)| {
        let ((metric, (letter, kind), numbers, tags), (dialect, rate, time_s, container)) =
            (what, how);
        let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
        let pair = |separator: &str| {
            let tags = tags
                .iter()
                .map(|(key, value)| format!("{key}{separator}{value}"));
            tags.collect::<Vec<_>>().join(",")
        };
        let (tags, syntax) = match dialect {
            Dialect::DogStatsD => (pair(":"), TagSyntax::Colons),
            _ => (pair("="), TagSyntax::Equals),
        };
        let (first, rest) = metric.split_at(metric.len() / 2);
        let mut line = match dialect {
            Dialect::DogStatsD => metric.clone(),
            Dialect::Librato => format!("{metric}#{tags}"),
            Dialect::InfluxDB => format!("{metric},{tags}"),
            Dialect::SignalFx => format!("{first}[{tags}]{rest}"),
        };
        line += &format!(":{}|{letter}", texts.join(":"));
        let fields = [
            rate.map(|rate| format!("|@{rate}")),
            matches!(dialect, Dialect::DogStatsD).then(|| format!("|#{tags}")),
            time_s.map(|time_s| format!("|T{time_s}")),
            container
                .as_ref()
                .map(|container| format!("|c:{container}")),
        ];
        line.extend(fields.into_iter().flatten());
        let sample = Kept {
            kind,
            tags,
            syntax,
            numbers,
            weight: rate.map_or(1.0, |rate| 1.0 / rate),
            time_s,
            container,
            ..plain(&metric)
        };
        (line, sample)
    })
}

/// Lines of all kinds.
fn any_packet() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => line().prop_map(|(line, _)| line),
        1 => "[a-z]{1,5}:[+-]?[0-9]{1,3}(:[+-]?[0-9]){0,3}\\|g",
        1 => "[a-z]{1,5}:[a-z:]{1,9}\\|s",
        1 => "[a-z]{1,5}(:[0-9]\\|(c|ms|g|x)(\\|@0\\.[0-9])?){1,4}",
        1 => "_e\\{1,1\\}:a\\|b(\\|#k:v)?",
        1 => "_sc\\|[a-z]{1,5}\\|[0-4]",
        1 => Just(String::new()),
    ];
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n").into_bytes())
}

/// A line, and how many values it has: StatsD's own form for several measurements, each with one or several values, of
/// which any part may be malformed.
fn measurements() -> impl Strategy<Value = (String, u64)> {
    let value = "[+-]?[0-9]{1,3}(\\.[0-9])?|x|";
    let field = "@0\\.[1-9]|@9|@|T[0-9]{1,3}|Tx||z|z:[a-z]+|e:1|card:low|c:ci-[0-9]";
    let measurement = (
        prop::collection::vec(value, 1..4),
        prop::sample::select(vec!["c", "ms", "g", "h", "d", "zz", ""]),
        prop::collection::vec(field, 0..3),
        // What a colon may end.
        prop::sample::select(vec!["", "|", "|@0.5", "|@7", "|T5", "|Tx"]),
    );
    prop::collection::vec(measurement, 1..5).prop_map(|measurements| {
        let mut count = 0;
        let written = measurements
            .into_iter()
            .map(|(values, kind, fields, last)| {
                count += values.len() as u64;
                let fields: String = fields.iter().map(|field| format!("|{field}")).collect();
                // A type or a field of another kind would take the colon for its own.
                let last = if fields.is_empty() || !last.is_empty() {
                    last
                } else {
                    "|"
                };
                format!("{}|{kind}{fields}{last}", values.join(":"))
            });
        let line = written.collect::<Vec<_>>().join(":");
        (format!("m:{line}"), count)
    })
}

proptest! {
    #[test]
    fn every_value_of_a_line_is_given_or_counted_as_malformed((line, values) in measurements()) {
        let (_, parsed) = read(line.as_bytes());
        prop_assert_eq!(parsed.values + parsed.malformed, values, "{}", line);
    }

    #[test]
    fn a_right_line_says_what_it_was_made_of((line, sample) in line()) {
        let (samples, parsed) = read(line.as_bytes());
        prop_assert_eq!(samples, [sample]);
        prop_assert_eq!(parsed.malformed, 0);
    }

    #[test]
    fn every_line_is_accounted_for_and_alone(packet in mutated(any_packet())) {
        let (samples, parsed) = read(&packet);
        let (mut each, mut sum) = (Vec::new(), Parsed::default());
        for line in packet.split(|byte| *byte == b'\n') {
            let (samples, parsed) = read(line);
            let is_empty = line.is_empty() || line == b"\r";
            let counted = parsed.values + parsed.malformed + parsed.events + parsed.checks;
            prop_assert_eq!(counted == 0, is_empty, "{:?}", line.escape_ascii().to_string());
            each.extend(samples);
            sum.add(parsed);
        }
        prop_assert_eq!((samples, parsed), (each, sum));
    }

    #[test]
    fn any_bytes_are_accounted_for(packet in "[a:|c#,@T0-9\\[\\]\n+-]{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for packet in [packet.into_bytes(), bytes] {
            let (_, parsed) = read(&packet);
            prop_assert!(parsed.samples + parsed.malformed <= packet.len() as u64);
        }
    }
}
