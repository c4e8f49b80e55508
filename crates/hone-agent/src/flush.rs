//! From what the workers' stores held to the points of an interval.
//!
//! The flusher owns what outlives an interval: the totals of counters, the last values of gauges, and for how long each
//! series has been silent. Workers name series by their own places; each worker's places are translated here.

use crate::aggregate::{Aggregate, Interval, Point, Summary};
use crate::sample::Kind;
use crate::series::Series;
use crate::store::{Cell, Place, Spread, Swapped, Tally};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// Buckets of a histogram or a distribution, of each sign: OpenTelemetry's default for its exponential histograms.
const BUCKETS_MAX: usize = 160;

/// What to do with what was gathered.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The quantiles of timers and distributions, 0 to 1, in rising order.
    pub quantiles: Vec<f64>,
    /// Intervals without a sample after which counters, rates and gauges are forgotten. Until then they are sent.
    pub expires_after: u32,
    /// The same of timers, histograms, distributions and sets, which are sent only when they have samples.
    pub distributions_expire_after: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            quantiles: vec![0.5, 0.9, 0.95, 0.99, 0.999],
            expires_after: 30,
            distributions_expire_after: 6,
        }
    }
}

/// A series that some worker holds.
#[derive(Debug)]
struct Entry {
    series: Arc<Series>,
    /// The workers that hold it, and where.
    places: Vec<(usize, Place)>,
    /// This interval's values, as far as they have come.
    cell: Cell,
    /// Of a counter the sum since it is held, of a gauge the last value.
    standing: f64,
    silent: u32,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Flusher {
    settings: Settings,
    entries: Vec<Option<Entry>>,
    free: Vec<usize>,
    /// Entries that a worker was the last to give up in this interval.
    left: Vec<usize>,
    known: HashMap<Arc<Series>, usize, RandomState>,
    /// Of each worker, the entry that each place stands for.
    workers: Vec<Vec<Option<usize>>>,
    tally: Tally,
}

impl Flusher {
    /// Without workers yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Does otherwise from this interval on.
    pub fn change(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Takes what a worker had, which is known by its number from 0 on; gives its cells back, all empty.
    pub fn add(&mut self, worker: usize, swapped: Swapped) -> Vec<Cell> {
        if self.workers.len() <= worker {
            self.workers.resize(worker + 1, Vec::new());
        }
        for (place, series) in swapped.fresh {
            self.hold(worker, place, series);
        }
        let mut cells = swapped.cells;
        for (place, cell) in cells.iter_mut().enumerate() {
            if *cell == Cell::Empty {
                continue;
            }
            let cell = std::mem::take(cell);
            let entry = self.workers[worker].get(place).copied().flatten();
            if let Some(entry) = entry.and_then(|entry| self.entries[entry].as_mut()) {
                entry.cell.merge(cell);
            }
        }
        for place in swapped.forgotten {
            self.let_go(worker, place);
        }
        self.tally.add(swapped.tally);
        cells
    }

    /// Ends the interval, once all workers have been added: its points, what was counted, and for each worker the
    /// places that its next swap should give up.
    pub fn finish(&mut self, end_ms: i64, length_ms: u32) -> Finished {
        self.forget_what_nobody_holds();
        let mut points = Vec::new();
        let mut expired = vec![Vec::new(); self.workers.len()];
        let seconds = f64::from(length_ms) / 1000.0;
        for (at, entry) in self.entries.iter_mut().enumerate() {
            let Some(entry) = entry else {
                continue;
            };
            let cell = std::mem::take(&mut entry.cell);
            entry.silent = match cell {
                Cell::Empty => entry.silent.saturating_add(1),
                _ => 0,
            };
            if entry.silent >= self.settings.silence_max(entry.series.kind()) {
                // Asked again with each interval until the worker has done it.
                for &(worker, place) in &entry.places {
                    expired[worker].push(place);
                }
                if entry.places.is_empty() {
                    self.left.push(at);
                }
                continue;
            }
            if let Some(value) = entry.value(cell, seconds, &self.settings.quantiles) {
                points.push(Point {
                    series: Arc::clone(&entry.series),
                    value,
                });
            }
        }
        Finished {
            interval: Interval {
                end_ms,
                length_ms,
                points,
            },
            expired,
            tally: std::mem::take(&mut self.tally),
        }
    }

    /// A worker has forgotten all its series. They live on until they expire, or another one gets them.
    pub fn forget_worker(&mut self, worker: usize) {
        let Some(places) = self.workers.get_mut(worker) else {
            return;
        };
        for at in std::mem::take(places).into_iter().flatten() {
            if let Some(entry) = self.entries[at].as_mut() {
                entry.places.retain(|(own, _)| *own != worker);
            }
        }
    }

    /// Series that are held.
    pub fn series(&self) -> impl Iterator<Item = &Series> {
        self.known.keys().map(|series| &**series)
    }

    fn hold(&mut self, worker: usize, place: Place, series: Arc<Series>) {
        let entry = match self.known.get(&series) {
            Some(&entry) => entry,
            None => self.enter(series),
        };
        if let Some(held) = self.entries[entry].as_mut() {
            held.places.push((worker, place));
        }
        let places = &mut self.workers[worker];
        let index = place as usize;
        if places.len() <= index {
            places.resize(index + 1, None);
        }
        places[index] = Some(entry);
    }

    fn enter(&mut self, series: Arc<Series>) -> usize {
        let entry = Some(Entry {
            series: Arc::clone(&series),
            places: Vec::new(),
            cell: Cell::Empty,
            standing: 0.0,
            silent: 0,
        });
        let at = match self.free.pop() {
            Some(at) => {
                self.entries[at] = entry;
                at
            }
            None => {
                self.entries.push(entry);
                self.entries.len() - 1
            }
        };
        self.known.insert(series, at);
        at
    }

    /// A worker gave up a place.
    fn let_go(&mut self, worker: usize, place: Place) {
        let place_of = self.workers[worker].get_mut(place as usize);
        let Some(at) = place_of.and_then(Option::take) else {
            return;
        };
        let Some(entry) = self.entries[at].as_mut() else {
            return;
        };
        entry.places.retain(|own| *own != (worker, place));
        if entry.places.is_empty() {
            self.left.push(at);
        }
    }

    /// Not as soon as the last worker gives a place up: another one may have got the series in the same interval.
    fn forget_what_nobody_holds(&mut self) {
        for at in std::mem::take(&mut self.left) {
            let is_held = |entry: &Entry| !entry.places.is_empty();
            let Some(entry) = self.entries[at].take_if(|entry| !is_held(entry)) else {
                continue;
            };
            self.known.remove(&entry.series);
            self.free.push(at);
        }
    }
}

impl Settings {
    fn silence_max(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Counter | Kind::Rate | Kind::Gauge => self.expires_after,
            Kind::Timer | Kind::Histogram | Kind::Distribution | Kind::Set => {
                self.distributions_expire_after
            }
        }
    }
}

impl Entry {
    /// What is sent of the interval.
    fn value(&mut self, cell: Cell, seconds: f64, quantiles: &[f64]) -> Option<Aggregate> {
        Some(match (self.series.kind(), cell) {
            (Kind::Counter, cell) => {
                let delta = sum_of(&cell);
                self.standing += delta;
                Aggregate::Counter {
                    total: self.standing,
                    delta,
                }
            }
            (Kind::Rate, cell) => Aggregate::Rate(sum_of(&cell) / seconds.max(f64::MIN_POSITIVE)),
            (Kind::Gauge, cell) => {
                match cell {
                    Cell::Last(last) => self.standing = last,
                    Cell::Change(change) => self.standing += change,
                    _ => {}
                }
                Aggregate::Gauge(self.standing)
            }
            (Kind::Timer, Cell::Spread(spread)) => Aggregate::Timer(summary(&spread, quantiles)),
            (Kind::Histogram, Cell::Spread(spread)) => {
                Aggregate::Histogram(summary(&spread, &[]), spread.bins.buckets(BUCKETS_MAX))
            }
            (Kind::Distribution, Cell::Spread(spread)) => {
                let buckets = spread.bins.buckets(BUCKETS_MAX);
                Aggregate::Distribution(summary(&spread, quantiles), buckets)
            }
            (Kind::Set, Cell::Distinct(set)) => Aggregate::Set(set.estimate()),
            (Kind::Timer | Kind::Histogram | Kind::Distribution | Kind::Set, _) => return None,
        })
    }
}

fn sum_of(cell: &Cell) -> f64 {
    match cell {
        Cell::Sum(sum) => *sum,
        _ => 0.0,
    }
}

/// Quantiles lie between the extremes, which are exact.
fn summary(spread: &Spread, quantiles: &[f64]) -> Summary {
    let within = |(quantile, value): (f64, f64)| (quantile, value.clamp(spread.min, spread.max));
    Summary {
        count: spread.count,
        sum: spread.sum,
        min: spread.min,
        max: spread.max,
        quantiles: spread
            .bins
            .quantiles(quantiles)
            .into_iter()
            .map(within)
            .collect(),
    }
}

/// What [`Flusher::finish`] gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// To be sent.
    pub interval: Interval,
    /// Of each worker, the places to give up.
    pub expired: Vec<Vec<Place>>,
    /// What all workers counted in the interval.
    pub tally: Tally,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{RawSeries, Sample, TagSyntax, Values};
    use crate::store::{Caps, Limits, Store};

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

    /// Workers, each with the cells that it gets back and the places that it is to give up.
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
            self.stores[worker].take(&sample(kind, metric, values), 0);
        }

        fn flush(&mut self) -> Vec<(String, Aggregate)> {
            for (worker, store) in self.stores.iter_mut().enumerate() {
                let spare = std::mem::take(&mut self.spare[worker]);
                let swapped = store.swap(spare, &self.expired[worker]);
                self.spare[worker] = self.flusher.add(worker, swapped);
            }
            let finished = self.flusher.finish(0, 10_000);
            self.expired = finished.expired;
            let points = finished.interval.points.into_iter();
            let mut points: Vec<_> = points
                .map(|point| (point.series.metric().to_owned(), point.value))
                .collect();
            points.sort_by(|a, b| a.0.cmp(&b.0));
            points
        }
    }

    fn counter(total: f64, delta: f64) -> Aggregate {
        Aggregate::Counter { total, delta }
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
        agent.stores[1].take(&change(2.0), 0);
        assert_eq!(agent.flush(), [("g".to_owned(), Aggregate::Gauge(42.0))]);
        agent.stores[0].take(&change(-1.0), 0);
        agent.stores[1].take(&change(3.0), 0);
        assert_eq!(agent.flush(), [("g".to_owned(), Aggregate::Gauge(44.0))]);
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
        // Worker 0 gives its place up before worker 1 tells of the value.
        agent.take(1, Kind::Counter, "c", &[1.0]);
        assert_eq!(agent.flush(), [("c".to_owned(), counter(2.0, 1.0))]);
    }

    #[test]
    fn timers_are_sent_only_when_they_have_samples_and_stay_within_their_extremes() {
        let mut agent = Agent::new(1, Settings::default());
        agent.take(0, Kind::Timer, "t", &[3.0, 3.0, 3.0]);
        let points = agent.flush();
        let Aggregate::Timer(summary) = &points[0].1 else {
            panic!("{points:?}");
        };
        assert_eq!((summary.count, summary.sum), (3.0, 9.0));
        assert!(
            summary.quantiles.iter().all(|(_, value)| *value == 3.0),
            "{summary:?}"
        );
        assert_eq!(agent.flush(), []);
    }
}
