//! Lines as clients write them, and what they must not become.

use hone_agent::protocol::Parsed;
use hone_agent::protocol::statsd::parse;
use hone_agent::sample::{Kind, TagSyntax};

use super::kept::{Kept, plain, read_by};

pub(crate) fn read(packet: impl AsRef<[u8]>) -> (Vec<Kept>, Parsed) {
    read_by(|sink| parse(packet.as_ref(), &mut |sample| sink(sample)))
}

/// The only sample of a line.
fn one(line: &str) -> Kept {
    let (mut samples, parsed) = read(line);
    assert_eq!((samples.len(), parsed.malformed), (1, 0), "{line}");
    samples.remove(0)
}

#[test]
fn the_types() {
    assert_eq!(one("page.views:1|c"), plain("page.views"));
    for (name, kind) in [
        ("c", Kind::Counter),
        ("ms", Kind::Timer),
        ("h", Kind::Histogram),
        ("d", Kind::Distribution),
        ("g", Kind::Gauge),
    ] {
        let sample = one(&format!("m:0.5|{name}"));
        assert_eq!((sample.kind, sample.numbers), (kind, vec![0.5]));
    }
    let set = one("users:alice:1|s");
    assert_eq!((set.kind, set.member), (Kind::Set, Some("alice:1".into())));
}

#[test]
fn a_signed_gauge_is_a_change() {
    assert_eq!(one("g:+4|g").change, Some(4.0));
    assert_eq!(one("g:-4.5|g").change, Some(-4.5));
    assert_eq!(one("c:-4|c").numbers, [-4.0]);
    let (samples, parsed) = read("g:7:+2:-1|g");
    let changes: Vec<Option<f64>> = samples.iter().map(|sample| sample.change).collect();
    assert_eq!(changes, [None, Some(2.0), Some(-1.0)]);
    assert_eq!(samples[0].numbers, [7.0]);
    assert_eq!((parsed.samples, parsed.values), (3, 3));
}

#[test]
fn several_values_are_one_sample() {
    let (samples, parsed) = read("t:1:2.5:-3|ms|@0.5\nt:4|ms\nt:5:6|ms");
    let numbers: Vec<&[f64]> = samples.iter().map(|sample| &sample.numbers[..]).collect();
    assert_eq!(numbers, [&[1.0, 2.5, -3.0][..], &[4.0], &[5.0, 6.0]]);
    assert_eq!(samples[0].weight, 2.0);
    assert_eq!((parsed.samples, parsed.values), (3, 6));
}

#[test]
fn all_fields_of_dogstatsd_in_any_order() {
    let expected = Kept {
        tags: "env:prod,canary".into(),
        weight: 4.0,
        time_s: Some(1_700_000_000),
        container: Some("ci-83c0a99c".into()),
        ..plain("m")
    };
    for line in [
        "m:1|c|@0.25|#env:prod,canary|c:ci-83c0a99c|T1700000000",
        "m:1|c|T1700000000|c:ci-83c0a99c|#env:prod,canary|@0.25",
        "m:1|c|#env:prod,canary|@0.25|e:it-false,cn-app,pu-1|c:ci-83c0a99c|card:low|new:x|T1700000000",
    ] {
        assert_eq!(one(line), expected, "{line}");
    }
    assert_eq!(one("m:1|c|#"), plain("m"));
}

#[test]
fn tags_at_the_name_in_three_dialects() {
    let expected = Kept {
        tags: "k=v,k2=v2".into(),
        syntax: TagSyntax::Equals,
        ..plain("ab")
    };
    for line in [
        "ab#k=v,k2=v2:1|c",
        "ab,k=v,k2=v2:1|c",
        "ab[k=v,k2=v2]:1|c",
        "a[k=v,k2=v2]b:1|c",
        "[k=v,k2=v2]ab:1|c",
    ] {
        assert_eq!(one(line), expected, "{line}");
    }
    assert_eq!(one("a[k=x:y#z]b:1|c").tags, "k=x:y#z");
    let (samples, _) = read("a[k=v]b:1|c:2|c\nlonger[k=v]name:1|c\nc[k=v]d:1|c");
    let metrics: Vec<&str> = samples.iter().map(|sample| &sample.metric[..]).collect();
    assert_eq!(metrics, ["ab", "ab", "longername", "cd"]);
}

#[test]
fn measurements_in_statsds_own_form_are_independent() {
    let (samples, parsed) = read("m:1|c:320|ms|@0.1:x|c:2|zz:7|g");
    let kinds: Vec<Kind> = samples.iter().map(|sample| sample.kind).collect();
    assert_eq!(kinds, [Kind::Counter, Kind::Timer, Kind::Gauge]);
    assert!(samples.iter().all(|sample| sample.metric == "m"));
    assert_eq!(samples[1].weight, 10.0);
    assert_eq!((parsed.samples, parsed.malformed), (3, 2));
}

/// Old clients of StatsD leave the sample rate out and keep its bar.
#[test]
fn a_measurement_behind_an_empty_field_is_not_lost() {
    let (samples, parsed) = read("x:0|ms|@0.1:0|ms|:1|ms");
    let numbers: Vec<f64> = samples.iter().map(|sample| sample.numbers[0]).collect();
    assert_eq!((numbers, parsed.malformed), (vec![0.0, 0.0, 1.0], 0));
}

#[test]
fn no_value_of_a_line_is_lost_without_being_counted() {
    for (line, values, malformed) in [
        // What the fields before a colon say is malformed, or nobody knows it.
        ("x:1|c|@5:2|c", 1, 1),
        ("x:1|c|@0|T5:2|c", 1, 1),
        ("x:1|c|T7:2|c", 2, 0),
        ("x:1|c|Tnow:2|c", 1, 1),
        ("x:1|zz|@0.5:2|c", 1, 1),
        ("x:1|c|foo:2|ms", 2, 0),
        ("x:1|c|foo:2|c:3|c", 3, 0),
        ("x:1|c|:2|c|:3|zz|:4|c", 3, 1),
        // Colons of fields that are not StatsD's own.
        ("x:1|c|new:2|c:ci-7", 1, 0),
        ("x:1|c|e:1|c", 1, 0),
        ("x:1|c|card:1|c", 1, 0),
        // Several values with the same fields.
        ("x:1:2:y:4|ms", 3, 1),
        ("x:1:2:3|zz", 0, 3),
        ("x:1:2|c|@0", 0, 2),
        ("x:1:2", 0, 2),
        ("x:+1:y:-2|g", 2, 1),
        ("x,a=b:1:2|c|#a:b", 0, 2),
        ("x:a:b|s", 1, 0),
    ] {
        let (_, parsed) = read(line);
        assert_eq!(
            (parsed.values, parsed.malformed),
            (values, malformed),
            "{line}"
        );
    }
}

#[test]
fn lines_end_in_every_way() {
    for packet in [
        "a:1|c\nb:1|c",
        "a:1|c\nb:1|c\n",
        "a:1|c\r\nb:1|c\r\n",
        "\n\na:1|c\n\r\n\nb:1|c",
    ] {
        let (samples, parsed) = read(packet);
        assert_eq!(samples, [plain("a"), plain("b")]);
        assert_eq!(parsed.malformed, 0);
    }
    assert_eq!(read(""), (vec![], Parsed::default()));
}

#[test]
fn events_and_checks_are_counted_and_dropped() {
    let (samples, parsed) =
        read("_e{5,4}:title|text|#k:v\n_sc|redis|0|#k:v\nm:1|c\n_sc|redis|2|m:down");
    assert_eq!(samples, [plain("m")]);
    assert_eq!((parsed.events, parsed.checks, parsed.malformed), (1, 2, 0));
}

#[test]
fn malformed_lines_are_counted_and_their_neighbours_kept() {
    let malformed = [
        "m",
        "m:",
        "m:1",
        "m:1|",
        ":1|c",
        "#k=v:1|c",
        "[k=v]:1|c",
        "m:1|x",
        "m:|c",
        "m:one|c",
        "m:nan|g",
        "m:inf|c",
        "m:1e999|h",
        "m:1|c|@0",
        "m:1|c|@1.1",
        "m:1|c|@-0.5",
        "m:1|c|@",
        "m:1|c|@nan",
        "m:1|c|@1e-300",
        "m:1|c|T",
        "m:1|c|T-1",
        "m:1|c|Tnow",
        "m:|s",
        "m,k=v:1|c|#k:v",
        "m 1 c",
        "m: 1|c",
        "m:1|C",
    ];
    for line in malformed {
        let (samples, parsed) = read(format!("a:1|c\n{line}\nb:1|c"));
        assert_eq!(samples, [plain("a"), plain("b")], "{line}");
        assert_eq!(parsed.malformed, 1, "{line}");
    }
}

#[test]
fn bytes_that_are_no_text_are_kept_as_they_are() {
    assert_eq!(read(b"m\xff\0:1|c").0, [plain(r"m\xff\x00")]);
}
