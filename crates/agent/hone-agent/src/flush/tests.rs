//! Tests that the values of workers become points, and that silent series are forgotten.

use super::*;
use crate::aggregate::Aggregate;
use crate::sample::{RawSeries, Sample, TagSyntax, Values};
use crate::store::Relayed;
use crate::store::{Caps, Limits, Origin, Store};

const ORIGIN: Origin = Origin::Listener(0);

fn sample<'p>(kind: Kind, metric: &'p str, values: &'p [f64]) -> Sample<'p> {
    Sample {
        series: RawSeries {
            kind,
            metric: metric.as_bytes(),
            tags: b"",
            syntax: TagSyntax::Sdk,
        },
        values: Values::Numbers(values),
        weight: 1.0,
        time_s: None,
        container: None,
    }
}

/// Workers, each with the cells that it gets back and the places that it has to give up.
struct Agent {
    stores: Vec<Store>,
    spare: Vec<Vec<Cell>>,
    expired: Vec<Vec<Place>>,
    flusher: Flusher,
}

impl Agent {
    fn new(workers: usize, settings: Settings) -> Self {
        let caps = Arc::new(Caps::new(Limits::default()));
        let store = || Store::new(Arc::clone(&caps), Limits::default());
        Self {
            stores: (0..workers).map(|_| store()).collect(),
            spare: vec![Vec::new(); workers],
            expired: vec![Vec::new(); workers],
            flusher: Flusher::new(settings),
        }
    }

    fn take(&mut self, worker: usize, kind: Kind, metric: &str, values: &[f64]) {
        self.stores[worker].take(&sample(kind, metric, values), ORIGIN);
    }

    fn flush(&mut self) -> Vec<(String, Aggregate)> {
        self.flush_at(0)
    }

    fn flush_at(&mut self, end_ms: i64) -> Vec<(String, Aggregate)> {
        let mut points = self.points_at(end_ms);
        points.sort_by(|a, b| a.0.cmp(&b.0));
        points
    }

    /// Returns the points in the order in which they are sent.
    fn points_at(&mut self, end_ms: i64) -> Vec<(String, Aggregate)> {
        for (worker, store) in self.stores.iter_mut().enumerate() {
            let spare = std::mem::take(&mut self.spare[worker]);
            let swapped = store.swap(spare, &self.expired[worker]);
            self.spare[worker] = self.flusher.add(worker, swapped);
        }
        let mut points = Vec::new();
        let finished = self.flusher.finish(end_ms, 10_000, |point| {
            points.push((point.series.metric().to_owned(), point.value));
        });
        self.expired = finished.expired;
        points
    }
}

fn since(since_ms: i64, total: f64, delta: f64) -> Aggregate {
    Aggregate::Counter {
        total,
        delta,
        since_ms,
        is_new: false,
    }
}

/// A counter in its first interval.
fn new(since_ms: i64, total: f64) -> Aggregate {
    Aggregate::Counter {
        total,
        delta: total,
        since_ms,
        is_new: true,
    }
}

fn counter(total: f64, delta: f64) -> Aggregate {
    since(-10_000, total, delta)
}

#[test]
fn workers_that_get_the_same_series_are_added_up() {
    let mut agent = Agent::new(2, Settings::default());
    agent.take(0, Kind::Counter, "c", &[1.0]);
    agent.take(1, Kind::Rate, "r", &[30.0]);
    agent.take(1, Kind::Counter, "c", &[2.0]);
    agent.take(0, Kind::Gauge, "g", &[7.0]);
    let points = agent.flush();
    let values: Vec<_> = points.into_iter().map(|(_, value)| value).collect();
    assert_eq!(
        values,
        [
            counter(3.0, 3.0),
            Aggregate::Gauge(7.0),
            Aggregate::Rate(3.0)
        ]
    );
    agent.take(1, Kind::Counter, "c", &[4.0]);
    let points = agent.flush();
    let values: Vec<_> = points.into_iter().map(|(_, value)| value).collect();
    assert_eq!(
        values,
        [
            counter(7.0, 4.0),
            Aggregate::Gauge(7.0),
            Aggregate::Rate(0.0)
        ]
    );
}

#[test]
fn points_are_in_the_order_of_their_series_whenever_these_came() {
    let settings = Settings {
        expires_after: 1,
        ..Settings::default()
    };
    let mut agent = Agent::new(1, settings);
    let mut names = |sent: &[&str]| {
        for metric in sent {
            agent.take(0, Kind::Counter, metric, &[1.0]);
        }
        let points = agent.points_at(0).into_iter();
        points.map(|(name, _)| name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&["d", "b"]), "b d");
    assert_eq!(names(&["d", "c"]), "c d");
    assert_eq!(names(&["c", "d", "a"]), "a c d");
    assert_eq!(names(&["d", "e", "b", "a"]), "a b d e");
}

#[test]
fn a_type_with_its_own_time_is_forgotten_after_that() {
    let settings = Settings {
        expires_after: 2,
        expire_after_of: [(Kind::Gauge, 4)].into(),
        ..Settings::default()
    };
    let mut agent = Agent::new(1, settings);
    agent.take(0, Kind::Counter, "count", &[5.0]);
    agent.take(0, Kind::Gauge, "level", &[5.0]);
    let points = [2, 2, 1, 1, 0].map(|_| agent.flush().len());
    assert_eq!(points, [2, 2, 1, 1, 0]);
}

#[test]
fn what_is_silent_is_forgotten_by_all_and_comes_back_as_new() {
    let settings = Settings {
        expires_after: 2,
        ..Settings::default()
    };
    let mut agent = Agent::new(2, settings);
    agent.take(0, Kind::Counter, "old", &[5.0]);
    agent.take(1, Kind::Counter, "old", &[5.0]);
    assert_eq!(agent.flush(), [("old".to_owned(), counter(10.0, 10.0))]);
    assert_eq!(agent.flush(), [("old".to_owned(), counter(10.0, 0.0))]);
    assert_eq!(agent.flush(), []);
    agent.take(1, Kind::Counter, "new", &[1.0]);
    agent.flush();
    assert_eq!(agent.stores.iter().map(Store::series).sum::<usize>(), 1);
    assert_eq!(agent.flusher.series().count(), 1);
    agent.take(0, Kind::Counter, "old", &[2.0]);
    let expected = [("new", counter(1.0, 0.0)), ("old", counter(2.0, 2.0))];
    assert_eq!(
        agent.flush(),
        expected.map(|(name, value)| (name.to_owned(), value))
    );
}

#[test]
fn a_series_that_speaks_just_when_it_expires_is_kept() {
    let settings = Settings {
        expires_after: 1,
        ..Settings::default()
    };
    let mut agent = Agent::new(1, settings);
    agent.take(0, Kind::Counter, "c", &[1.0]);
    agent.flush();
    assert_eq!(agent.flush(), []);
    agent.take(0, Kind::Counter, "c", &[1.0]);
    assert_eq!(agent.flush(), [("c".to_owned(), counter(2.0, 1.0))]);
}

#[test]
fn changes_of_a_gauge_add_up_whichever_workers_get_them() {
    let mut agent = Agent::new(2, Settings::default());
    let change = |change| Sample {
        values: Values::Change(change),
        ..sample(Kind::Gauge, "g", &[])
    };
    agent.take(0, Kind::Gauge, "g", &[40.0]);
    agent.stores[1].take(&change(2.0), ORIGIN);
    assert_eq!(agent.flush(), [("g".to_owned(), Aggregate::Gauge(42.0))]);
    agent.stores[0].take(&change(-1.0), ORIGIN);
    agent.stores[1].take(&change(3.0), ORIGIN);
    assert_eq!(agent.flush(), [("g".to_owned(), Aggregate::Gauge(44.0))]);
}

#[test]
fn a_counter_says_since_when_it_counts_also_when_it_came_back() {
    let settings = Settings {
        expires_after: 1,
        ..Settings::default()
    };
    let mut agent = Agent::new(1, settings);
    let named = |value| [("c".to_owned(), value)];
    agent.take(0, Kind::Counter, "c", &[1.0]);
    assert_eq!(agent.flush_at(50_000), named(new(40_000, 1.0)));
    agent.take(0, Kind::Counter, "c", &[1.0]);
    assert_eq!(agent.flush_at(60_000), named(since(40_000, 2.0, 1.0)));
    for end_ms in [70_000, 80_000, 90_000] {
        assert_eq!(agent.flush_at(end_ms), []);
    }
    agent.take(0, Kind::Counter, "c", &[5.0]);
    // A marker that the counter ended may have the time at which the last interval ended.
    assert_eq!(agent.flush_at(100_000), named(new(90_001, 5.0)));
}

/// Returns when the counter of an interval that ends at `end_ms` begins; `None` if no sample has room before the interval's.
fn begins(agent: &mut Agent, metric: &str, end_ms: i64) -> Option<i64> {
    agent.take(0, Kind::Counter, metric, &[1.0]);
    let points = agent.flush_at(end_ms);
    let mut values = points.into_iter().filter(|(name, _)| name == metric);
    match values.next() {
        Some((
            _,
            Aggregate::Counter {
                since_ms, is_new, ..
            },
        )) => is_new.then_some(since_ms),
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_counter_begins_before_a_sample_that_was_sent() {
    let mut agent = Agent::new(1, Settings::default());
    // Another agent before this one may have sent something until then.
    agent.flusher.start(995_000);
    assert_eq!(begins(&mut agent, "a", 1_000_000), Some(995_001));
    // Noticed late: the interval of ten seconds reaches back into the one before.
    assert_eq!(begins(&mut agent, "b", 1_008_000), Some(1_000_001));
    assert_eq!(begins(&mut agent, "c", 1_020_000), Some(1_010_000));
    // A known counter has its start for good.
    assert_eq!(begins(&mut agent, "c", 1_030_000), None);
    // A clock that is set back, until it has caught up.
    assert_eq!(begins(&mut agent, "d", 1_015_000), None);
    assert_eq!(begins(&mut agent, "e", 1_030_000), None);
    assert_eq!(begins(&mut agent, "f", 1_030_001), None);
    assert_eq!(begins(&mut agent, "g", 1_040_000), Some(1_030_002));
}

/// Returns when a counter of the agent itself begins, if it is new, and since when it counts.
fn own(agent: &mut Agent, end_ms: i64, total: f64, delta: f64) -> (bool, i64) {
    agent.flush_at(end_ms);
    let point = Point {
        series: Arc::new(Series::new(Kind::Counter, "own", &[]).unwrap()),
        value: since(0, total, delta),
    };
    let mut told = Vec::new();
    agent.flusher.own(point, |_, point| told.push(point.value));
    agent.flusher.own_finish();
    let [
        Aggregate::Counter {
            is_new, since_ms, ..
        },
    ] = told[..]
    else {
        panic!("{told:?}");
    };
    (is_new, since_ms)
}

#[test]
fn counters_of_the_agent_itself_begin_too_and_one_that_goes_on_does_not() {
    let mut agent = Agent::new(1, Settings::default());
    assert_eq!(own(&mut agent, 100_000, 5.0, 5.0), (true, 90_000));
    assert_eq!(own(&mut agent, 110_000, 6.0, 1.0), (false, 90_000));
    // Not told in an interval, and then from zero.
    agent.flush_at(120_000);
    agent.flusher.own_finish();
    assert_eq!(own(&mut agent, 130_000, 2.0, 2.0), (true, 120_001));
    agent.flush_at(140_000);
    agent.flusher.own_finish();
    // It goes on from the sum that it had.
    assert_eq!(own(&mut agent, 150_000, 5.0, 3.0), (false, 140_001));
}

#[test]
fn a_gauge_that_another_agent_relays_late_takes_no_later_ones_place() {
    let mut agent = Agent::new(1, Settings::default());
    let raw = sample(Kind::Gauge, "g", &[]).series;
    let mut relayed = |value, end_ms, own_end_ms| {
        let cell = Cell::Relayed(Box::new(Relayed { value, end_ms }));
        agent.stores[0].take_relayed(&raw, cell, ORIGIN).unwrap();
        agent.flush_at(own_end_ms)
    };
    let gauge = |value| [("g".to_owned(), Aggregate::Gauge(value))];
    assert_eq!(relayed(1.0, 20, 20), gauge(1.0));
    assert_eq!(relayed(2.0, 10, 30), gauge(1.0));
    assert_eq!(relayed(3.0, 20, 40), gauge(3.0));
    // A time from a clock that is ahead counts as the end of the interval.
    assert_eq!(relayed(4.0, i64::MAX, 50), gauge(4.0));
    assert_eq!(relayed(5.0, 50, 60), gauge(5.0));
}

#[test]
fn a_series_that_speaks_to_another_worker_just_when_it_expires_is_kept() {
    let settings = Settings {
        expires_after: 1,
        ..Settings::default()
    };
    let mut agent = Agent::new(2, settings);
    agent.take(0, Kind::Counter, "c", &[1.0]);
    agent.flush();
    assert_eq!(agent.flush(), []);
    // Worker 0 gives its place up before worker 1 reports the value.
    agent.take(1, Kind::Counter, "c", &[1.0]);
    assert_eq!(agent.flush(), [("c".to_owned(), counter(2.0, 1.0))]);
}

#[test]
fn timers_are_sent_only_when_they_have_samples_and_stay_within_their_extremes() {
    let mut agent = Agent::new(1, Settings::default());
    agent.take(0, Kind::Timer, "t", &[3.0, 3.0, 3.0]);
    let points = agent.flush();
    let Aggregate::Timer(summary, _) = &points[0].1 else {
        panic!("{points:?}");
    };
    assert_eq!((summary.count, summary.sum), (3.0, 9.0));
    assert!(
        summary.quantiles.iter().all(|(_, value)| *value == 3.0),
        "{summary:?}"
    );
    assert_eq!(agent.flush(), []);
}
