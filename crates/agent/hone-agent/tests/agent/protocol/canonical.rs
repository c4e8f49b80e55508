//! Series by chance, and on their way through the SDK's protocol.

use std::collections::BTreeMap;

use hone_agent::canonical::{Refused, canonical};
use hone_agent::protocol::{Parsed, sdk, statsd};
use hone_agent::sample::{Kind, RawSeries, Sample, TagSyntax};
use hone_agent::series::Series;
use proptest::prelude::*;

fn series(tags: &[u8], syntax: TagSyntax) -> Result<Series, Refused> {
    canonical(&RawSeries {
        kind: Kind::Counter,
        metric: b"m",
        tags,
        syntax,
    })
}

/// The series of a packet.
fn of_packet(parse: impl FnOnce(&mut dyn FnMut(Sample<'_>)) -> Parsed) -> Vec<Series> {
    let mut all = Vec::new();
    let parsed = parse(&mut |sample| all.push(canonical(&sample.series).unwrap()));
    assert_eq!(parsed.malformed, 0);
    all
}

#[test]
fn where_a_key_ends_makes_another_series_through_the_sdk() {
    let packet = b"\x92\x94\xa1c\xa1m\xa11\xa4ab=c\x94\xa1c\xa1m\xa11\xa4a=bc";
    let all = of_packet(|sink| sdk::parse(packet, &mut |sample| sink(sample)));
    assert_eq!(all.len(), 2);
    assert_ne!(all[0], all[1]);
    assert_eq!((all[0].tag("ab"), all[1].tag("a")), (Some("c"), Some("bc")));
}

#[test]
fn all_protocols_and_dialects_meet_in_one_series() {
    let lines = b"m:1|c|#b:2,a:1\nm#a=1,b=2:1|c\nm,b=2,a=1:1|c\n[a=1,b=2]m:1|c";
    let mut all = of_packet(|sink| statsd::parse(lines, &mut |sample| sink(sample)));
    let packet = b"\x94\xa1c\xa1m\xa11\xa7b=2 a=1";
    all.extend(of_packet(|sink| {
        sdk::parse(packet, &mut |sample| sink(sample))
    }));
    assert_eq!(all.len(), 5);
    all.dedup();
    assert_eq!(all.len(), 1);
}

/// The tags that a text of the SDK means: the last of each key, and `true` for those without a value.
fn meant(text: &str) -> BTreeMap<&str, &str> {
    let tags = text.split(['|', ' ']).filter(|tag| !tag.is_empty());
    tags.map(|tag| match tag.split_once('=') {
        None | Some((_, "")) => (tag.trim_end_matches('='), "true"),
        Some(tag) => tag,
    })
    .collect()
}

#[test]
fn a_tag_without_a_value_is_true_in_every_dialect() {
    let lines = b"m:1|c|#canary\nm:1|c|#canary:\nm:1|c|#canary:true\nm,canary:1|c\nm#canary=:1|c\n[canary]m:1|c";
    let mut all = of_packet(|sink| statsd::parse(lines, &mut |sample| sink(sample)));
    assert_eq!(all[0].tag("canary"), Some("true"));
    assert_eq!(all.len(), 6);
    all.dedup();
    assert_eq!(all.len(), 1);
}

proptest! {
    #[test]
    fn two_texts_are_one_series_if_they_mean_the_same(one in "([abc]{1,2}=[abc]{0,2}[| ]?){0,4}", other in "([abc]{1,2}=[abc]{0,2}[| ]?){0,4}") {
        let [first, second] = [&one, &other].map(|text| series(text.as_bytes(), TagSyntax::Sdk).unwrap());
        prop_assert_eq!(first == second, meant(&one) == meant(&other));
        let tags: BTreeMap<&str, &str> = first.tags().collect();
        prop_assert_eq!(tags, meant(&one));
    }

    #[test]
    fn the_canonical_form_is_its_own(text in "([a-e]{1,3}=[a-e=é]{0,30}[| ]){0,20}") {
        let first = series(text.as_bytes(), TagSyntax::Sdk).unwrap();
        let written: Vec<String> = first.tags().map(|(key, value)| format!("{key}={value}")).collect();
        prop_assert!(first.tags().map(|(key, _)| key).is_sorted_by(|one, next| one < next));
        let again = series(written.join("|").as_bytes(), TagSyntax::Sdk);
        prop_assert_eq!(again, Ok(first.clone()));
        let again = series(written.join(",").as_bytes(), TagSyntax::Equals);
        prop_assert_eq!(again, Ok(first));
    }

    #[test]
    fn any_bytes_are_a_series_or_refused(metric in prop::collection::vec(any::<u8>(), 0..20), tags in prop::collection::vec(any::<u8>(), 0..5000)) {
        for syntax in [TagSyntax::Sdk, TagSyntax::Colons, TagSyntax::Equals] {
            let raw = RawSeries { kind: Kind::Set, metric: &metric, tags: &tags, syntax };
            if let Ok(series) = canonical(&raw) {
                prop_assert_eq!(series.metric().as_bytes(), &metric[..]);
                prop_assert!(series.tags().all(|(key, _)| !key.is_empty()));
            }
        }
    }
}
