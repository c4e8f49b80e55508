//! Tests that values of busy, idle, parked and late workers are each in one interval.

use super::*;
use crate::account::Account;
use crate::aggregate::Aggregate;
use crate::receive::{Handle, Origin, Protocol};
use std::sync::mpsc::TryRecvError;
use std::thread;

const LINES: &[u8] = b"hits:1|c|#a:b\nhits:2|c|@0.5|#a:b\nbroken\n";

/// Returns the result of a flush, and the points that it hands on.
fn whole(flush: impl FnOnce(&mut dyn FnMut(Point)) -> Flushed) -> (Flushed, Vec<Point>) {
    let mut points = Vec::new();
    let flushed = flush(&mut |point| points.push(point));
    (flushed, points)
}

fn total(points: &[Point]) -> f64 {
    let counters = points.iter().filter_map(|point| match point.value {
        Aggregate::Counter { total, .. } => Some(total),
        _ => None,
    });
    counters.sum()
}

#[test]
fn every_value_is_in_one_interval_while_workers_are_busy() {
    let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
    let workers: Vec<Worker> = (0..2).map(|_| aggregator.worker()).collect();
    let busy = workers.into_iter().map(|mut worker| {
        thread::spawn(move || {
            for _ in 0..20_000 {
                worker.packet(Protocol::Statsd, LINES, Origin::default());
            }
            worker
        })
    });
    let busy: Vec<_> = busy.collect();
    let mut parsed = Parsed::default();
    let mut stored = 0;
    for interval in 0..5 {
        let flushed = aggregator.flush(interval, 1000, drop);
        parsed.add(flushed.parsed);
        stored += flushed.finished.tally.stored;
    }
    let workers = busy
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect();
    let (flushed, points) = whole(|to| aggregator.last(workers, 5, 1000, to));
    parsed.add(flushed.parsed);
    stored += flushed.finished.tally.stored;
    assert_eq!(total(&points), 2.0 * 20_000.0 * 5.0);
    assert_eq!((parsed.values, parsed.malformed), (80_000, 40_000));
    assert_eq!(stored, parsed.values);
}

/// Two workers are parked, one comes back, and then both do, as at reloads with fewer and more threads.
#[test]
fn workers_that_are_parked_keep_their_series_and_their_values() {
    let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
    let mut workers = [aggregator.worker(), aggregator.worker()];
    for worker in &mut workers {
        worker.packet(Protocol::Statsd, LINES, Origin::default());
    }
    aggregator.park(workers.into());
    let mut only = aggregator.worker();
    assert_eq!(only.number, 0);
    only.packet(Protocol::Statsd, LINES, Origin::default());
    only.packet(Protocol::Statsd, b"level:5|g", Origin::default());
    aggregator.park(vec![only]);
    let (flushed, points) = whole(|to| aggregator.flush(0, 1000, to));
    assert_eq!((total(&points), flushed.late), (15.0, 0));
    assert_eq!(
        (flushed.parsed.values, flushed.origins.all().packets),
        (7, 4)
    );
    let mut back = [aggregator.worker(), aggregator.worker()];
    assert_eq!(back.each_ref().map(|worker| worker.number), [0, 1]);
    back[1].packet(Protocol::Statsd, b"level:6|g", Origin::default());
    let (flushed, points) = whole(|to| aggregator.last(back.into(), 1, 1000, to));
    assert_eq!((total(&points), flushed.late), (15.0, 0));
    let mut gauges = points.iter();
    assert!(gauges.any(|point| point.value == Aggregate::Gauge(6.0)));
    assert_eq!(aggregator.worker().number, 0);
}

/// A series moves as at a reload with other listeners, after which clients reach other workers.
#[test]
fn a_series_that_moves_to_another_worker_counts_once_and_goes_on() {
    let settings = Settings {
        expires_after: 2,
        ..Settings::default()
    };
    let mut aggregator = Aggregator::new(settings, Limits::default());
    let mut workers = [aggregator.worker(), aggregator.worker()];
    for worker in &mut workers {
        worker.packet(Protocol::Statsd, LINES, Origin::default());
    }
    aggregator.park(workers.into());
    assert_eq!(aggregator.series(), 2);
    aggregator.forget_who_held();
    assert_eq!(aggregator.series(), 0);
    let mut only = aggregator.worker();
    only.packet(Protocol::Statsd, b"other:1|c", Origin::default());
    only.packet(Protocol::Statsd, LINES, Origin::default());
    aggregator.park(vec![only]);
    assert_eq!(total(&whole(|to| aggregator.flush(0, 1000, to)).1), 16.0);
    assert_eq!(aggregator.series(), 2);
    aggregator.forget_who_held();
    assert_eq!(total(&whole(|to| aggregator.flush(1, 1000, to)).1), 16.0);
    // No worker holds the series any more: they expire all the same, and begin anew.
    assert_eq!(total(&whole(|to| aggregator.flush(2, 1000, to)).1), 0.0);
    aggregator.flush(3, 1000, drop);
    assert_eq!(aggregator.flusher.series().count(), 0);
    let mut again = aggregator.worker();
    again.packet(Protocol::Statsd, LINES, Origin::default());
    let (_, points) = whole(|to| aggregator.last(vec![again], 4, 1000, to));
    assert_eq!((total(&points), aggregator.series()), (5.0, 1));
}

#[test]
fn limits_that_are_changed_hold_for_what_is_new() {
    let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
    let mut worker = aggregator.worker();
    worker.packet(Protocol::Statsd, b"a:1|c\nb:1|c", Origin::default());
    aggregator.park(vec![worker]);
    let limits = Limits {
        series_max: 2,
        ..Limits::default()
    };
    aggregator.change(Settings::default(), limits);
    let mut worker = aggregator.worker();
    worker.packet(Protocol::Statsd, b"a:1|c\nc:1|c", Origin::default());
    let (flushed, points) = whole(|to| aggregator.last(vec![worker], 0, 1000, to));
    assert_eq!(
        flushed.finished.tally.overflowed[&crate::store::Over::All],
        1
    );
    assert_eq!(total(&points), 4.0);
}

#[test]
fn workers_without_packets_answer_when_they_are_idle() {
    let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
    let mut worker = aggregator.worker();
    worker.packet(Protocol::Statsd, LINES, Origin::default());
    let ended = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&ended);
    let idle = thread::spawn(move || {
        while seen.load(Ordering::Acquire) == 0 {
            worker.idle();
            thread::yield_now();
        }
    });
    let (flushed, points) =
        whole(|to| aggregator.flush_within(Duration::from_secs(60), 0, 1000, to));
    ended.store(1, Ordering::Release);
    idle.join().unwrap();
    assert_eq!((total(&points), flushed.late), (5.0, 0));
}

#[test]
fn a_late_worker_keeps_its_values_and_is_not_waited_for_twice() {
    let mut aggregator = Aggregator::new(Settings::default(), Limits::default());
    let (mut late, mut prompt) = (aggregator.worker(), aggregator.worker());
    let mut account = Account::default();
    late.packet(Protocol::Statsd, LINES, Origin::default());
    prompt.packet(Protocol::Statsd, LINES, Origin::default());
    let (flushed, points) = whole(|to| aggregator.flush_within(Duration::ZERO, 0, 1000, to));
    assert_eq!((total(&points), flushed.late), (0.0, 2));
    account.add(&flushed);
    prompt.idle();
    let (go_on, wait) = channel::<()>();
    let prompt = thread::spawn(move || {
        while let Err(TryRecvError::Empty) = wait.try_recv() {
            prompt.idle();
            thread::yield_now();
        }
        prompt
    });
    // One worker still owes an answer: the second interval waits only for the other worker, however long the patience.
    let (flushed, points) =
        whole(|to| aggregator.flush_within(Duration::from_secs(60), 1, 1000, to));
    assert_eq!((total(&points), flushed.late), (5.0, 1));
    account.add(&flushed);
    late.idle();
    late.packet(Protocol::Statsd, LINES, Origin::default());
    let (flushed, points) = whole(|to| aggregator.flush_within(Duration::ZERO, 2, 1000, to));
    assert_eq!(total(&points), 10.0);
    account.add(&flushed);
    drop(go_on);
    let workers = vec![late, prompt.join().unwrap()];
    let (flushed, points) = whole(|to| aggregator.last(workers, 3, 1000, to));
    assert_eq!(total(&points), 15.0);
    account.add(&flushed);
    assert_eq!(account.tally.stored, 6);
    assert_eq!(account.discrepancies(), []);
}
