//! Tables of lines in all four styles of tags: what name and tags each comes to, whether it is well made or not.
//!
//! Where a name is cut from its tags is as in statsd_exporter. What becomes of single tags is the agent's own
//! (`docs/agent/protocol.md`, "What is accepted otherwise than elsewhere").

use hone_agent::canonical::canonical;
use hone_agent::protocol::statsd::parse;
use hone_agent::sample::Values;

/// What a line comes to: `name{key=value,...} value`, for each sample, and how many of its values are malformed.
fn read(line: &str) -> (Vec<String>, u64) {
    let mut read = Vec::new();
    let parsed = parse(line.as_bytes(), &mut |sample| {
        let said = canonical(&sample.series).map(|series| {
            let tags = series.tags().map(|(key, value)| format!("{key}={value}"));
            let tags = tags.collect::<Vec<_>>().join(",");
            format!("{}{{{tags}}}", series.metric())
        });
        let said = said.unwrap_or_else(|refused| format!("{refused}"));
        let values = match sample.values {
            Values::Numbers(numbers) => numbers
                .iter()
                .map(f64::to_string)
                .collect::<Vec<_>>()
                .join(","),
            other => format!("{other:?}"),
        };
        read.push(format!("{said} {values}"));
    });
    (read, parsed.malformed)
}

/// Each line and the one sample that it is.
#[track_caller]
fn are(table: &[(&str, &str)]) {
    for (line, expected) in table {
        assert_eq!(read(line), (vec![(*expected).to_owned()], 0), "{line}");
    }
}

/// Lines that are malformed, and how many of their values are.
#[track_caller]
fn are_malformed(table: &[(&str, u64)]) {
    for (line, values) in table {
        assert_eq!(read(line), (vec![], *values), "{line}");
    }
}

#[test]
fn dogstatsd() {
    are(&[
        ("hits:1|c|#zone:a,shop:b", "hits{shop=b,zone=a} 1"),
        ("hits:1|c|@0.5|#zone:a", "hits{zone=a} 1"),
        ("hits:1|c|#zone:a|@0.5", "hits{zone=a} 1"),
        // Clients of PHP.
        ("hits:1|c|#zone:a,#shop:b", "hits{shop=b,zone=a} 1"),
        ("hits:1|c|##zone:a", "hits{zone=a} 1"),
        ("hits:1|c|#zone:a,#", "hits{zone=a} 1"),
        ("hits:1|c|#zone:a,##shop:b", "hits{#shop=b,zone=a} 1"),
        // Colons, equals signs and brackets in values.
        ("hits:1|c|#url:http://x/?a=b", "hits{url=http://x/?a=b} 1"),
        ("hits:1|c|#zone:[a]", "hits{zone=[a]} 1"),
        ("hits:1|c|#zone:a#b", "hits{zone=a#b} 1"),
        // Without a value, without anything, twice.
        ("hits:1|c|#canary,zone:", "hits{canary=true,zone=true} 1"),
        ("hits:1|c|#", "hits{} 1"),
        ("hits:1|c|#,,zone:a,", "hits{zone=a} 1"),
        ("hits:1|c|#zone:a,zone:b", "hits{zone=b} 1"),
        ("hits:1|c|#zone:a|#zone:b", "hits{zone=b} 1"),
        ("hits:1|c|#:a", "a tag has no key 1"),
    ]);
    are_malformed(&[
        ("hits:1|#zone:a", 2),
        ("hits|c|#zone:a", 1),
        (":1|c|#zone:a", 1),
    ]);
}

#[test]
fn librato_and_influxdb() {
    for separator in ['#', ','] {
        let line = |text: &str| text.replacen('^', &separator.to_string(), 1);
        for (text, expected) in [
            ("hits^zone=a,shop=b:1|c", "hits{shop=b,zone=a} 1"),
            ("hits.all^zone=a:1|c", "hits.all{zone=a} 1"),
            ("hits^zone=a=b:1|c", "hits{zone=a=b} 1"),
            ("hits^zone=a#b:1|c", "hits{zone=a#b} 1"),
            ("hits^canary,zone=:1|c", "hits{canary=true,zone=true} 1"),
            ("hits^:1|c", "hits{} 1"),
            ("hits^,,zone=a,:1|c", "hits{zone=a} 1"),
            ("hits^zone=a,zone=b:1|c", "hits{zone=b} 1"),
            ("hits^=a:1|c", "a tag has no key 1"),
            // A hash within is no mark of DogStatsD's.
            ("hits^zone=a,#shop=b:1|c", "hits{#shop=b,zone=a} 1"),
            // Nobody can know a colon in a value from the one before the number.
            ("hits^zone=a:1|c|@0.5", "hits{zone=a} 1"),
        ] {
            are(&[(&line(text), expected)]);
        }
        are_malformed(&[
            (&line("^zone=a:1|c"), 1),
            (&line("hits^zone=a"), 1),
            (&line("hits^zone=a:b:1|q"), 2),
        ]);
    }
    // The first one begins the tags, whichever it is.
    are(&[
        ("hits#zone=a,shop=b#c:1|c", "hits{shop=b#c,zone=a} 1"),
        ("hits,zone=a#shop=b:1|c", "hits{zone=a#shop=b} 1"),
    ]);
}

#[test]
fn signalfx() {
    are(&[
        ("hits[zone=a,shop=b]:1|c", "hits{shop=b,zone=a} 1"),
        ("[zone=a,shop=b]hits:1|c", "hits{shop=b,zone=a} 1"),
        ("hi[zone=a,shop=b]ts:1|c", "hits{shop=b,zone=a} 1"),
        ("hits[]:1|c", "hits{} 1"),
        ("hits[canary,zone=]:1|c", "hits{canary=true,zone=true} 1"),
        ("hits[zone=a,zone=b]:1|c", "hits{zone=b} 1"),
        ("hits[=a]:1|c", "a tag has no key 1"),
        ("hits[url=http://x]:1|c", "hits{url=http://x} 1"),
        // The first of each bracket counts, and others are name.
        ("hits[zone=[a]]:1|c", "hits]{zone=[a} 1"),
        ("hits[zone=a]s]:1|c", "hitss]{zone=a} 1"),
        ("hits[zone=a][shop=b]:1|c", "hits[shop=b]{zone=a} 1"),
        // Brackets come before the other styles.
        ("hits,shop=b[zone=a]:1|c", "hits,shop=b{zone=a} 1"),
        ("hits[zone=a],shop=b:1|c", "hits,shop=b{zone=a} 1"),
        ("hits#shop=b[zone=a]:1|c", "hits#shop=b{zone=a} 1"),
    ]);
    are_malformed(&[
        ("[zone=a]:1|c", 1),
        ("[]:1|c", 1),
        ("hits[zone=a]", 1),
        ("hits[zone=a]1|c", 1),
    ]);
}

#[test]
fn a_bracket_without_the_other_is_name_and_so_is_all_beside_it() {
    are(&[
        ("zone=a,shop=b]hits:1|c", "zone=a,shop=b]hits{} 1"),
        ("hits]:1|c", "hits]{} 1"),
        ("hits]#zone=a:1|c", "hits]#zone=a{} 1"),
        ("]zone=a[hits:1|c", "]zone=a[hits{} 1"),
        ("]zone[shop=b]hits:1|c", "]zone[shop=b]hits{} 1"),
        ("hits[zone=a,shop=b:1|c", "hits[zone=a,shop=b{} 1"),
        ("hits,zone=[a:1|c", "hits,zone=[a{} 1"),
        // The other one stands where no name is any more.
        ("hits[zone=a:1|c|#shop:]", "hits[zone=a{shop=]} 1"),
        (
            "hits[zone=a:1|c|@0.5|#shop:b]:2",
            "hits[zone=a{shop=b]:2} 1",
        ),
        ("zone=a]hits:1|c|#shop:b", "zone=a]hits{shop=b} 1"),
    ]);
    are_malformed(&[("hits[zone=a", 1), ("hits]", 1), ("hits[url=x:y:1|q", 2)]);
}

#[test]
fn tags_in_two_places() {
    are(&[
        // One of the places is empty.
        ("hits,:1|c|#zone:a", "hits{zone=a} 1"),
        ("hits#,,:1|c|#zone:a", "hits{zone=a} 1"),
        ("hits[]:1|c|#zone:a", "hits{zone=a} 1"),
    ]);
    are_malformed(&[
        ("hits,zone=a:1|c|#zone:a", 1),
        ("hits#zone=a:1|c|#shop:b", 1),
        ("hits[zone=a]:1:2|ms|#shop:b", 2),
        ("hits[zone=a]:1|c|#", 1),
        ("hits,canary:1|c|#zone:a", 1),
    ]);
}

#[test]
fn tags_at_the_name_are_those_of_every_measurement() {
    for name in [
        "hits#zone=a",
        "hits,zone=a",
        "hits[zone=a]",
        "[zone=a]hits",
        "hi[zone=a]ts",
    ] {
        let line = format!("{name}:1|c|@0.5:2|ms:3:4|h|:x|g:5|g");
        let expected = [
            "hits{zone=a} 1",
            "hits{zone=a} 2",
            "hits{zone=a} 3,4",
            "hits{zone=a} 5",
        ];
        assert_eq!(
            read(&line),
            (expected.map(str::to_owned).to_vec(), 1),
            "{line}"
        );
    }
}
