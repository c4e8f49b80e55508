//! Tests of mapping files, by what they make of names.

use super::*;
use hone_agent::canonical::Meant;
use hone_agent::rewrite::{Outcome, Rewrite};

/// The example of statsd_exporter's documentation, and each key once.
const FILE: &str = r#"
defaults:
  observer_type: histogram
  match_type: glob
  glob_disable_ordering: false
  ttl: 0
  histogram_options: { buckets: [0.005, 0.01] }
mappings:
- match: "test.dispatcher.*.*.*"
  name: "dispatcher_events_total"
  help: "Events."
  labels:
    processor: "$1"
    action: "$2"
    outcome: "$3"
    job: "test_dispatcher"
- match: "*.signup.*.*"
  name: "signup_${2}_total"
  honor_labels: true
  labels:
    provider: "$2"
    zone: "mapped"
- match: "app.*.time"
  match_metric_type: observer
  name: "app_time"
  labels: { app: "$1" }
- match: "app.*.*"
  name: "app_$2"
  labels: { app: "$1" }
- match: '^(?P<where>[^.]+)\.cache\.(\d+)\.'
  match_type: regex
  name: "cache_${where}"
  labels: { shard: "$2" }
- match: "old.*"
  action: drop
- match: "."
  match_type: regex
  action: drop
  match_metric_type: gauge
"#;

/// Returns what a mapping makes of a series, as text.
fn made(mapping: &Mapping, kind: Kind, metric: &str, tags: &[(&str, &str)]) -> String {
    let rewrite = Rewrite {
        mapping: mapping.clone(),
        relabel: Vec::new(),
    };
    let series = Meant {
        kind,
        metric,
        tags: tags.to_vec(),
    };
    match rewrite.apply(&series) {
        Outcome::AsSent => "as sent".to_owned(),
        Outcome::Dropped => "dropped".to_owned(),
        Outcome::Changed(changed) => {
            let tags = changed.tags.iter();
            let tags: Vec<_> = tags.map(|(key, value)| format!("{key}={value}")).collect();
            format!(
                "{} {} {}",
                changed.kind.word(),
                changed.metric,
                tags.join(",")
            )
        }
    }
}

#[test]
fn names_become_names_with_tags() {
    let (mapping, unused) = parse(FILE).unwrap();
    assert_eq!(
        (mapping.len(), unused),
        (7, vec!["help", "histogram_options", "ttl"])
    );
    let made = |kind, metric, tags: &[_]| made(&mapping, kind, metric, tags);
    assert_eq!(
        made(
            Kind::Counter,
            "test.dispatcher.FooProcessor.send.success",
            &[]
        ),
        "counter dispatcher_events_total action=send,job=test_dispatcher,outcome=success,processor=FooProcessor"
    );
    // A tag that was sent goes before one of the rule only where the rule says so.
    assert_eq!(
        made(
            Kind::Counter,
            "foo.signup.facebook.failure",
            &[("a", "b"), ("zone", "sent")]
        ),
        "counter signup_facebook_total a=b,provider=facebook,zone=sent"
    );
    assert_eq!(
        made(Kind::Counter, "test.dispatcher.a.b.c", &[("job", "sent")]),
        "counter dispatcher_events_total action=b,job=test_dispatcher,outcome=c,processor=a"
    );
    // The first rule of the kind applies, and observers become histograms.
    assert_eq!(
        made(Kind::Timer, "app.shop.time", &[]),
        "histogram app_time app=shop"
    );
    assert_eq!(
        made(Kind::Counter, "app.shop.time", &[]),
        "counter app_time app=shop"
    );
    assert_eq!(
        made(Kind::Counter, "eu.cache.12.hits", &[]),
        "counter cache_eu shard=12"
    );
    assert_eq!(made(Kind::Counter, "old.thing", &[]), "dropped");
    assert_eq!(made(Kind::Counter, "old.thing.more", &[]), "as sent");
    assert_eq!(made(Kind::Gauge, "old.thing.more", &[]), "dropped");
    assert_eq!(made(Kind::Timer, "other", &[]), "as sent");
}

#[test]
fn rules_by_parts_come_before_those_by_expressions() {
    let file = "mappings:\n- { match: 'a.*', match_type: regex, name: regex }\n- { match: 'a.*', name: parts }\n";
    let (mapping, _) = parse(file).unwrap();
    assert_eq!(made(&mapping, Kind::Counter, "a.b", &[]), "counter parts ");
    assert_eq!(
        made(&mapping, Kind::Counter, "a.b.c", &[]),
        "counter regex "
    );
}

#[test]
fn an_empty_file_has_no_rules() {
    for file in ["", "# nothing\n", "mappings: []\n", "defaults: {}\n"] {
        assert!(parse(file).unwrap().0.is_empty(), "{file}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_its_place() {
    let said = |rule: &str| {
        let file = format!("mappings:\n- {{ match: ok, name: ok }}\n- {{ {rule} }}\n");
        format!("{:#}", parse(&file).unwrap_err())
    };
    assert_eq!(said("name: x"), "mapping 2 (match: \"\"): match is missing");
    assert!(said("match: a").ends_with("name is missing; only action: drop needs none"));
    assert!(said("match: 'a.b*', name: x").contains("\"b*\", and * stands for a whole part"));
    assert!(
        said("match: 'a.*', name: '$1_total'").ends_with("write ${1}_total if group 1 is meant")
    );
    assert!(said("match: 'a.*', name: x, labels: { k: $2 }").ends_with("there is no group ${2}"));
    assert!(said("match: '(', match_type: regex, name: x").contains("unclosed group"));
    assert!(said("match: a, name: x, scale: 0.001").contains("scale would change values"));
    assert!(said("match: a, name: x, sclae: 1").contains("\"sclae\" is no key that"));
    assert!(
        said("match: a, name: x, labels: { k: 1 }").ends_with("k is no text; put it in quotes")
    );
    assert!(said("match: a, name: \"x\\n\"").ends_with("name has control characters; remove them"));
    assert!(
        said("match: a, name: x, action: keep")
            .ends_with("action is \"keep\"; map or drop is wanted")
    );
    let whole = |file: &str| format!("{:#}", parse(file).unwrap_err());
    assert!(
        whole("defaults: { glob_disable_ordering: true }")
            .starts_with("defaults: glob_disable_ordering")
    );
    assert!(whole("mapping: []").starts_with("\"mapping\" is no key"));
    assert!(whole("mappings: {}").contains("mappings is no list"));
    assert!(whole("- a").starts_with("the file: keys with values"));
    assert!(whole("a: [").contains(" line "), "{}", whole("a: ["));
}
