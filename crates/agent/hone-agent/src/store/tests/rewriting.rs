//! Tests of rules on the series of clients.

use super::super::rewriting::DROPPED_KEPT_FOR;
use super::*;
use crate::rewrite::NAME;
use crate::rewrite::relabel::{Relabel, Written};

/// Rules that rename `a.*` to `a` with a tag, and drop what begins with `debug`.
fn rules() -> Arc<Rewrite> {
    let relabel = |source: &str, regex: &str, target: &str, replacement: &str, action: &str| {
        Relabel::try_from(Written {
            source_labels: vec![source.to_owned()],
            regex: regex.to_owned(),
            target_label: target.to_owned(),
            replacement: replacement.to_owned(),
            action: action.to_owned(),
            ..Written::default()
        })
        .unwrap()
    };
    Arc::new(Rewrite {
        relabel: vec![
            relabel(NAME, r"a\.(.*)", "of", "$1", "replace"),
            relabel(NAME, r"a\..*", NAME, "a", "replace"),
            relabel(NAME, "debug.*", "", "$1", "drop"),
        ],
        ..Rewrite::default()
    })
}

#[test]
fn rules_apply_once_to_each_form_and_before_limits_count() {
    let mut store = store(Limits {
        per_metric_max: 2,
        ..Limits::default()
    });
    store.rewrite(rules());
    for _ in 0..2 {
        for metric in ["a.x", "a.y", "a.x", "b", "debug.a", "debug.b", "a.z"] {
            store.take(&sample(metric, "", &[1.0, 2.0]), ORIGIN);
        }
        let swapped = store.swap(Vec::new(), &[]);
        assert_eq!(swapped.tally.refused[&Refused::ByRule], 4);
        assert_eq!(swapped.tally.overflowed[&Over::Metric], 2);
        assert_eq!(swapped.tally.stored, 10);
        assert_eq!(swapped.tally.values(), 14);
        if let [first, ..] = &swapped.cells[..] {
            assert_eq!(*first, Cell::Sum(6.0));
        }
        let names: Vec<_> = named(&swapped).into_iter().map(|(name, _)| name).collect();
        let expected = ["a of=x", "a of=y", "b ", "a otel.metric.overflow=true"];
        assert!(names.is_empty() || names == expected, "{names:?}");
    }
}

#[test]
fn dropped_forms_are_remembered_within_limits_and_forgotten_in_time() {
    let mut store = store(Limits {
        text_bytes_max: 100,
        ..Limits::default()
    });
    store.rewrite(rules());
    for number in 0..100 {
        let metric = format!("debug.{number}");
        store.take(&sample(&metric, "", &[1.0]), ORIGIN);
    }
    store.settle();
    // Half of the limit on text.
    let remembered = store.names.len();
    assert!((6..=7).contains(&remembered), "{remembered}");
    for _ in 0..DROPPED_KEPT_FOR {
        store.swap(Vec::new(), &[]);
    }
    assert_eq!(store.names.len(), 0);
    assert!(store.caps.admit_form(50), "its bytes are free again");
}

#[test]
fn other_rules_hold_from_then_on_and_series_that_they_end_expire() {
    let mut store = store(Limits::default());
    store.rewrite(rules());
    store.take(&sample("a.x", "", &[1.0]), ORIGIN);
    store.take(&sample("debug", "", &[1.0]), ORIGIN);
    store.rewrite(Arc::default());
    store.take(&sample("a.x", "", &[5.0]), ORIGIN);
    store.take(&sample("a", "of=x", &[7.0]), ORIGIN);
    store.take(&sample("debug", "", &[1.0]), ORIGIN);
    let swapped = store.swap(Vec::new(), &[]);
    let expected = [("a of=x", 8.0), ("a.x ", 5.0), ("debug ", 1.0)];
    let expected = expected.map(|(name, sum)| (name.to_owned(), Cell::Sum(sum)));
    assert_eq!(named(&swapped), expected);
    assert_eq!(swapped.tally.refused[&Refused::ByRule], 1);
    store.swap(Vec::new(), &[0, 1, 2]);
    let swapped = store.swap(Vec::new(), &[0, 1, 2]);
    assert_eq!((store.series(), store.names.len()), (0, 0));
    assert_eq!(swapped.forgotten.len(), 0);
}

#[test]
fn what_rules_make_too_long_is_refused() {
    let mut store = store(Limits::default());
    let longer = Relabel::try_from(Written {
        source_labels: vec![NAME.to_owned()],
        target_label: NAME.to_owned(),
        replacement: "$1$1".to_owned(),
        ..Written::default()
    });
    store.rewrite(Arc::new(Rewrite {
        relabel: vec![longer.unwrap()],
        ..Rewrite::default()
    }));
    store.take(&sample(&"m".repeat(300), "", &[1.0]), ORIGIN);
    store.take(&sample("m", "", &[1.0]), ORIGIN);
    let swapped = store.swap(Vec::new(), &[]);
    assert_eq!(swapped.tally.refused[&Refused::LongMetric], 1);
    assert_eq!(named(&swapped), [("mm ".to_owned(), Cell::Sum(1.0))]);
}
