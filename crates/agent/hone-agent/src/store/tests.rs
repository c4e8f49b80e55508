//! Tests of the values that a store takes, returns and refuses.

use super::*;
use crate::sample::{Sample, TagSyntax};

mod rewriting;

const ORIGIN: Origin = Origin::Process(5);

fn sample<'p>(metric: &'p str, tags: &'p str, values: &'p [f64]) -> Sample<'p> {
    Sample {
        series: RawSeries {
            kind: Kind::Counter,
            metric: metric.as_bytes(),
            tags: tags.as_bytes(),
            syntax: TagSyntax::Sdk,
        },
        values: Values::Numbers(values),
        weight: 1.0,
        time_s: None,
        container: None,
    }
}

fn store(limits: Limits) -> Store {
    Store::new(Arc::new(Caps::new(limits)), limits)
}

fn named(swapped: &Swapped) -> Vec<(String, Cell)> {
    let named = swapped.fresh.iter().map(|(place, series)| {
        let tags: Vec<_> = series
            .tags()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let name = format!("{} {}", series.metric(), tags.join(","));
        (name, swapped.cells[*place as usize].clone())
    });
    named.collect()
}

#[test]
fn the_order_of_tags_makes_no_other_series() {
    let mut store = store(Limits::default());
    for tags in ["a=1|b=2", "b=2|a=1", "b=2 a=1", "a=1|b=2"] {
        store.take(&sample("m", tags, &[1.0]), ORIGIN);
    }
    store.take(&sample("m", "a=1", &[1.0, 1.0]), ORIGIN);
    let swapped = store.swap(Vec::new(), &[]);
    let expected = [("m a=1,b=2", 4.0), ("m a=1", 2.0)];
    let expected = expected.map(|(name, sum)| (name.to_owned(), Cell::Sum(sum)));
    assert_eq!(named(&swapped), expected);
    assert_eq!(swapped.tally.stored, 6);
}

#[test]
fn after_a_swap_series_keep_their_places_and_lose_their_values() {
    let mut store = store(Limits::default());
    store.take(&sample("a", "", &[1.0]), ORIGIN);
    store.take(&sample("b", "", &[1.0]), ORIGIN);
    store.swap(Vec::new(), &[]);
    store.take(&sample("b", "", &[5.0]), ORIGIN);
    let swapped = store.swap(Vec::new(), &[]);
    assert_eq!(swapped.cells, [Cell::Empty, Cell::Sum(5.0)]);
    assert!(swapped.fresh.is_empty());
}

#[test]
fn what_is_over_a_cap_comes_together_and_is_counted() {
    let limits = Limits {
        series_max: 4,
        per_metric_max: 2,
        ..Limits::default()
    };
    let mut store = store(limits);
    for tags in ["n=1", "n=2", "n=3", "n=4", "n=3"] {
        store.take(&sample("m", tags, &[1.0]), ORIGIN);
    }
    for metric in ["x", "y", "z", "zz"] {
        store.take(&sample(metric, "", &[1.0]), ORIGIN);
    }
    let swapped = store.swap(Vec::new(), &[]);
    let overflow = |metric: &str| format!("{metric} otel.metric.overflow=true");
    let expected = [
        ("m n=1".to_owned(), 1.0),
        ("m n=2".to_owned(), 1.0),
        (overflow("m"), 3.0),
        ("x ".to_owned(), 1.0),
        ("y ".to_owned(), 1.0),
        (overflow(OVERFLOW_METRIC), 2.0),
    ];
    let expected = expected.map(|(name, sum)| (name, Cell::Sum(sum)));
    assert_eq!(named(&swapped), expected);
    let over = |over| swapped.tally.overflowed.get(&over).copied();
    assert_eq!((over(Over::Metric), over(Over::All)), (Some(3), Some(2)));
    assert_eq!(swapped.tally.stored, 9);
}

#[test]
fn an_attack_of_new_series_leaves_no_memory_behind() {
    let limits = Limits {
        series_max: 100,
        ..Limits::default()
    };
    let mut store = store(limits);
    let mut after_some = 0;
    for number in 0..20_000 {
        store.take(&sample("m", &format!("n={number}"), &[1.0]), ORIGIN);
        if number == 1_000 {
            after_some = store.size_bytes();
        }
    }
    assert_eq!(store.series(), 101);
    assert_eq!(store.size_bytes(), after_some);
}

#[test]
fn places_that_expire_are_free_for_others_unless_a_value_came() {
    let mut store = store(Limits::default());
    for metric in ["a", "b", "c"] {
        store.take(&sample(metric, "", &[1.0]), ORIGIN);
    }
    store.swap(Vec::new(), &[]);
    store.take(&sample("b", "", &[1.0]), ORIGIN);
    let swapped = store.swap(Vec::new(), &[0, 1]);
    assert_eq!(swapped.forgotten, [0]);
    assert_eq!(store.caps.series(), 2);
    store.take(&sample("d", "", &[7.0]), ORIGIN);
    store.take(&sample("a", "", &[9.0]), ORIGIN);
    let swapped = store.swap(Vec::new(), &[]);
    let fresh: Vec<_> = (swapped.fresh.iter())
        .map(|(place, series)| (*place, series.metric().to_owned()))
        .collect();
    assert_eq!(fresh, [(0, "d".to_owned()), (3, "a".to_owned())]);
    assert_eq!(swapped.cells[0], Cell::Sum(7.0));
}

#[test]
fn a_series_whose_tags_come_in_ever_another_order_leaves_room_for_others() {
    let limits = Limits {
        series_max: 10_000,
        ..Limits::default()
    };
    let mut store = store(limits);
    for number in 0..2_000 {
        // The last value of a key that comes twice is used, so this is always the same series.
        store.take(&sample("m", &format!("a={number}|a=1"), &[1.0]), ORIGIN);
    }
    store.settle();
    assert_eq!(store.names.len(), FORMS_OF_ONE_MAX);
    store.take(&sample("other", "", &[1.0]), ORIGIN);
    store.settle();
    assert_eq!(store.names.len(), FORMS_OF_ONE_MAX + 1);
    let expected = [("m a=1", 2_000.0), ("other ", 1.0)];
    let expected = expected.map(|(name, sum)| (name.to_owned(), Cell::Sum(sum)));
    assert_eq!(named(&store.swap(Vec::new(), &[])), expected);
}

#[test]
fn what_is_forgotten_leaves_no_form_behind() {
    let mut store = store(Limits::default());
    for (metric, tags) in [("a", "x=1|y=2"), ("a", "y=2|x=1"), ("b", ""), ("c", "")] {
        store.take(&sample(metric, tags, &[1.0]), ORIGIN);
    }
    store.swap(Vec::new(), &[]);
    assert_eq!(store.swap(Vec::new(), &[1]).forgotten, [1]);
    assert_eq!(store.names.len(), 3);
    assert_eq!(store.swap(Vec::new(), &[0, 2]).forgotten, [0, 2]);
    assert_eq!((store.names.len(), store.names.text_bytes()), (0, 0));
}

#[test]
fn a_series_is_known_by_its_first_form_however_many_others_there_are() {
    let limits = Limits {
        series_max: 1,
        ..Limits::default()
    };
    let mut store = store(limits);
    for number in 0..10 {
        store.take(&sample("m", &format!("a={number}|a=1"), &[1.0]), ORIGIN);
    }
    store.settle();
    assert_eq!(store.names.len(), FORMS_PER_SERIES);
    store.take(&sample("m", "", &[1.0]), ORIGIN);
    let form = sample("m", "otel.metric.overflow=true", &[1.0]);
    store.take(&form, ORIGIN);
    store.settle();
    let hash = store.names.hash(&form.series);
    assert!(store.names.find(hash, &form.series).is_some());
}

#[test]
fn what_is_no_series_is_counted_by_reason() {
    let mut store = store(Limits::default());
    store.take(&sample("m", "=1", &[1.0, 2.0]), ORIGIN);
    let swapped = store.swap(Vec::new(), &[]);
    assert_eq!(swapped.tally.refused.get(&Refused::NoKey), Some(&2));
    assert_eq!(swapped.tally.stored, 0);
}

#[test]
fn long_names_and_tags_are_bounded_and_released_with_their_series() {
    let limits = Limits {
        text_bytes_max: 10_000,
        ..Limits::default()
    };
    let mut store = store(limits);
    let mut after_some = 0;
    for number in 0..5_000 {
        let tags = format!("n={number}|x={}", "x".repeat(200));
        store.take(&sample("m", &tags, &[1.0]), ORIGIN);
        // The same tags in another order, which makes another raw form.
        let tags = format!("x={}|n={number}", "x".repeat(200));
        store.take(&sample("m", &tags, &[1.0]), ORIGIN);
        if number == 100 {
            after_some = store.size_bytes();
        }
    }
    assert_eq!(store.size_bytes(), after_some);
    assert!(store.caps.text_bytes() <= 10_000);
    assert!(store.names.text_bytes() <= 15_000);
    let held = store.series() as u64 - 1;
    assert!(held > 20);
    let swapped = store.swap(Vec::new(), &[]);
    let over = swapped.tally.overflowed.get(&Over::Text).copied();
    assert_eq!(over, Some(2 * (5_000 - held)));
    let all: Vec<Place> = (0..=held as Place).collect();
    assert_eq!(store.swap(Vec::new(), &all).forgotten.len(), all.len());
    assert_eq!((store.caps.series(), store.caps.text_bytes()), (0, 0));
    assert_eq!((store.names.len(), store.names.further_bytes()), (0, 0));
    assert!(store.caps.admit_form(5_000));
}

#[test]
fn who_floods_takes_nothing_from_others() {
    let limits = Limits {
        per_origin_max: 10,
        ..Limits::default()
    };
    let (flooder, other) = (Origin::Listener(1), Origin::Process(6));
    let mut store = store(limits);
    for number in 0..100 {
        store.take(&sample("m", &format!("n={number}"), &[1.0]), flooder);
        // A client that stays within its cap, also with new series while the other client floods.
        if number % 10 == 0 {
            store.take(&sample("m", &format!("own={number}"), &[2.0]), other);
        }
        store.take(&sample("m", "n=0", &[1.0]), other);
    }
    let swapped = store.swap(Vec::new(), &[]);
    let over = |over| swapped.tally.overflowed.get(&over).copied();
    assert_eq!((over(Over::Origin), over(Over::Metric)), (Some(90), None));
    let named = named(&swapped);
    let owns = named.iter().filter(|(name, _)| name.starts_with("m own="));
    assert!(owns.clone().all(|(_, cell)| *cell == Cell::Sum(2.0)));
    assert_eq!(owns.count(), 10);
    let value = |wanted: &str| {
        let mut named = named.iter();
        named.find(|(name, _)| name == wanted).map(|(_, cell)| cell)
    };
    assert_eq!(value("m n=0"), Some(&Cell::Sum(101.0)));
    assert_eq!(value("m otel.metric.overflow=true"), Some(&Cell::Sum(90.0)));
}

#[test]
fn a_cap_that_has_room_again_is_noticed_at_once() {
    let limits = Limits {
        per_metric_max: 1,
        ..Limits::default()
    };
    let mut store = store(limits);
    for tags in ["n=1", "n=2", "n=2"] {
        store.take(&sample("m", tags, &[1.0]), ORIGIN);
    }
    store.swap(Vec::new(), &[]);
    store.swap(Vec::new(), &[0]);
    for _ in 0..2 {
        store.take(&sample("m", "n=2", &[1.0]), ORIGIN);
    }
    let swapped = store.swap(Vec::new(), &[]);
    assert_eq!(named(&swapped), [("m n=2".to_owned(), Cell::Sum(2.0))]);
    assert!(swapped.tally.overflowed.is_empty());
}

#[test]
fn overflow_series_of_ever_other_metrics_come_together() {
    let limits = Limits {
        series_max: 3 * OVERFLOWS_MAX,
        ..Limits::default()
    };
    let mut store = store(limits);
    for round in 0..2 {
        for number in 0..3 * OVERFLOWS_MAX {
            let metric = format!("m{number}");
            store.take(&sample(&metric, &format!("n={round}"), &[1.0]), ORIGIN);
        }
    }
    assert_eq!(store.series(), 4 * OVERFLOWS_MAX + 1);
    let swapped = store.swap(Vec::new(), &[]);
    let sum = |cell: &Cell| if let Cell::Sum(sum) = cell { *sum } else { 0.0 };
    let all: f64 = swapped.cells.iter().map(sum).sum();
    assert_eq!(all, 6.0 * OVERFLOWS_MAX as f64);
}

#[test]
fn a_store_that_is_gone_counts_against_no_cap() {
    let caps = Arc::new(Caps::new(Limits::default()));
    let mut store = Store::new(Arc::clone(&caps), Limits::default());
    for tags in ["a=1|b=2", "b=2|a=1", ""] {
        store.take(&sample("m", tags, &[1.0]), ORIGIN);
    }
    store.settle();
    assert_eq!(caps.series(), 2);
    drop(store);
    assert_eq!((caps.series(), caps.text_bytes()), (0, 0));
}

#[test]
fn sums_that_are_held_at_the_largest_number_are_counted() {
    let mut store = store(Limits::default());
    for _ in 0..3 {
        let large = Sample {
            weight: 1e9,
            ..sample("m", "", &[1e300])
        };
        store.take(&large, ORIGIN);
    }
    let swapped = store.swap(Vec::new(), &[]);
    assert_eq!(swapped.cells, [Cell::Sum(f64::MAX)]);
    assert_eq!((swapped.tally.stored, swapped.tally.held), (3, 3));
}

/// A sample of any kind.
fn of<'p>(kind: Kind, metric: &'p [u8], values: Values<'p>) -> Sample<'p> {
    let mut sample = sample("", "", &[]);
    (sample.series.kind, sample.series.metric, sample.values) = (kind, metric, values);
    sample
}

fn gauge(values: Values<'_>) -> Sample<'_> {
    of(Kind::Gauge, b"gauge", values)
}

#[test]
fn whatever_waits_is_stored_in_its_order() {
    let mut store = store(Limits::default());
    // More samples than wait together, so that some samples of a series are stored before it is known and others after that.
    for round in 0..50 {
        let round = f64::from(round);
        store.take(&gauge(Values::Change(1000.0)), ORIGIN);
        let numbers = [1.0, 2.0, round];
        store.take(&gauge(Values::Numbers(&numbers)), ORIGIN);
        store.take(&gauge(Values::Change(-0.5)), ORIGIN);
        store.take(&sample("sum", "a=1", &numbers), ORIGIN);
        store.take(&of(Kind::Set, b"set", Values::Member(b"a")), ORIGIN);
        store.take(&of(Kind::Set, b"set", Values::Member(b"")), ORIGIN);
        store.take(&sample("m", "=1", &[round]), ORIGIN);
    }
    let swapped = store.swap(Vec::new(), &[]);
    let named = named(&swapped);
    let [(_, gauge), (_, sum), (_, set)] = &named[..] else {
        panic!("{named:?}");
    };
    assert_eq!(*gauge, Cell::Last(48.5));
    assert_eq!(*sum, Cell::Sum(50.0 * 3.0 + 49.0 * 25.0));
    assert!(matches!(set, Cell::Distinct(set) if set.estimate() == 2.0));
    assert_eq!(swapped.tally.stored, 50 * 10);
    assert_eq!(swapped.tally.all_refused(), 50);
    assert_eq!(store.values_waiting(), 0);
}

#[test]
fn what_is_too_large_to_wait_comes_after_what_waits() {
    let mut store = store(Limits::default());
    let many = vec![3.0; 100_000];
    store.take(&gauge(Values::Numbers(&[1.0])), ORIGIN);
    store.take(&gauge(Values::Numbers(&many)), ORIGIN);
    assert_eq!((store.tally().stored, store.values_waiting()), (100_001, 0));
    store.take(&gauge(Values::Change(1.0)), ORIGIN);
    let member = vec![b'x'; 100_000];
    store.take(&of(Kind::Set, b"set", Values::Member(&member)), ORIGIN);
    let swapped = store.swap(Vec::new(), &[]);
    assert_eq!(named(&swapped)[0].1, Cell::Last(4.0));
    assert_eq!(swapped.tally.stored, 100_003);
}

#[test]
fn names_that_read_alike_are_told_apart_where_they_wait() {
    let mut store = store(Limits::default());
    for _ in 0..3 {
        store.take(&sample("ab", "c=1", &[1.0]), ORIGIN);
        store.take(&sample("a", "bc=1", &[10.0]), ORIGIN);
        store.take(&of(Kind::Rate, b"abc=1", Values::Numbers(&[100.0])), ORIGIN);
        store.settle();
    }
    let named = named(&store.swap(Vec::new(), &[]));
    let cells: Vec<Cell> = named.into_iter().map(|(_, cell)| cell).collect();
    assert_eq!(cells, [3.0, 30.0, 300.0].map(Cell::Sum));
}
