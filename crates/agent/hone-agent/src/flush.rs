//! Flusher, which turns the values of the workers' stores into the points of an interval.
//!
//! The flusher owns the state that outlives an interval: the totals of counters, the last values of gauges, and the time for
//! which each series has been silent. Workers name series by their own places; the flusher translates each worker's places.

use crate::aggregate::{Aggregate, Point};
use crate::sample::Kind;
use crate::series::Series;
use crate::store::{Cell, Fits, Place, Swapped, Tally};
use crate::wire::names::Rules;
use clashes::Apart;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use holders::Holders;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;
use std::sync::Arc;
use sums::{Sums, Times};

mod claims;
mod clashes;
mod destinations;
mod holders;
mod sums;

pub use clashes::{Became, Collided, Shared, TYPE_TAG};
pub use destinations::To;

/// Index of an entry. Places have the same width, so there cannot be more series.
type At = u32;
/// Index that belongs to no entry.
const NOTHING: At = At::MAX;

/// Settings of the flusher.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Quantiles of timers and distributions, 0 to 1, in rising order.
    pub quantiles: Vec<f64>,
    /// Intervals without a sample after which counters, rates and gauges are forgotten. Until then they are sent.
    pub expires_after: u32,
    /// Intervals without a sample after which timers, histograms, distributions and sets are forgotten. These are sent only if
    /// they have samples.
    pub distributions_expire_after: u32,
    /// Intervals without a sample after which series of a kind are forgotten, for kinds with a number of their own.
    pub expire_after_of: BTreeMap<Kind, u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            quantiles: vec![0.5, 0.9, 0.95, 0.99, 0.999],
            expires_after: 30,
            distributions_expire_after: 6,
            expire_after_of: BTreeMap::new(),
        }
    }
}

/// A series that some worker holds.
#[derive(Debug)]
struct Entry {
    series: Arc<Series>,
    holders: Holders,
    /// Values of this interval so far.
    cell: Cell,
    sums: Sums,
    silent: u32,
    /// True if the entry is in a group of some [`Apart`].
    is_apart: bool,
}

/// Flusher (see the module).
#[derive(Debug, Default)]
pub struct Flusher {
    settings: Settings,
    entries: Vec<Option<Entry>>,
    free: Vec<At>,
    /// Entries in the order of their series, in which points are sent: neighbours have most of their text in common, and are
    /// compressed to fewer bytes.
    order: Vec<At>,
    /// True if entries have come or gone since they were put in order.
    is_out_of_order: bool,
    /// Entries whose last holder gave them up in this interval.
    left: Vec<At>,
    /// Entries by their series.
    known: HashTable<At>,
    hash: RandomState,
    /// For each worker, the entry of each of its places, or [`NOTHING`].
    workers: Vec<Vec<At>>,
    tally: Tally,
    /// Series that share names, by the rules of each kind of back end.
    apart: Vec<Apart>,
    /// Counters of the agent itself that were in the last interval.
    own: HashMap<Arc<Series>, Own, RandomState>,
    /// Times of the last interval.
    times: Times,
    /// Time of the latest sample before that interval, in milliseconds since 1970.
    latest_ms: i64,
}

/// A counter of the agent itself.
#[derive(Debug)]
struct Own {
    since_ms: i64,
    /// True if the counter is in this interval.
    is_there: bool,
}

impl Flusher {
    /// A flusher without workers.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Tells when the agent started, in milliseconds since 1970. All samples of agents before it are earlier, so counters begin
    /// after that time.
    pub fn start(&mut self, started_ms: i64) {
        self.latest_ms = started_ms;
    }

    /// Changes the settings from this interval on.
    pub fn change(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Tells series apart by these rules from now on. Points that are not for all rules are handed on with a [`To`].
    pub fn tell_apart(&mut self, rules: Vec<Rules>) {
        let mut known = std::mem::take(&mut self.apart);
        for rules in rules.into_iter().take(To::RULES_MAX) {
            let place = known.iter().position(|apart| apart.rules == rules);
            self.apart.push(match place {
                Some(place) => known.swap_remove(place),
                None => {
                    let mut apart = Apart::new(rules);
                    for at in 0..self.entries.len() {
                        apart.enter(at as At, &self.entries);
                    }
                    apart
                }
            });
        }
        for (at, entry) in self.entries.iter_mut().enumerate() {
            if let Some(entry) = entry {
                entry.is_apart = self.apart.iter().any(|apart| apart.has(at as At));
            }
        }
    }

    /// Takes the values of a worker, given by its number from 0 on. Returns the worker's cells, all empty.
    pub fn add(&mut self, worker: usize, swapped: Swapped) -> Vec<Cell> {
        if self.workers.len() <= worker {
            self.workers.resize(worker + 1, Vec::new());
        }
        if swapped.is_new_store {
            self.forget_worker(worker);
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
            let at = self.workers[worker].get(place).copied();
            if let Some(entry) = entry_of(&mut self.entries, at.unwrap_or(NOTHING)) {
                self.tally.held += u64::from(entry.cell.merge(cell) == Fits::Held);
            }
        }
        for place in swapped.forgotten {
            self.let_go(worker, place);
        }
        self.tally.add(&swapped.tally);
        cells
    }

    /// Ends the interval, once all workers have been added, and hands its points on one by one, in the order of their
    /// series: there may be hundreds of thousands of points, which need not all exist at once. Points that are not for
    /// everybody are in the result.
    pub fn finish(
        &mut self,
        end_ms: i64,
        length_ms: u32,
        mut hand_on: impl FnMut(Point),
    ) -> Finished {
        self.forget_what_nobody_holds();
        self.put_in_order();
        let mut expired = vec![Vec::new(); self.workers.len()];
        let mut apart = Vec::new();
        self.latest_ms = self.latest_ms.max(self.times.end_ms);
        let times = Times::new(end_ms, length_ms, self.latest_ms);
        self.times = times;
        for &at in &self.order {
            let Some(entry) = entry_of(&mut self.entries, at) else {
                continue;
            };
            let cell = std::mem::take(&mut entry.cell);
            entry.silent = match cell {
                Cell::Empty => entry.silent.saturating_add(1),
                _ => 0,
            };
            if entry.silent >= self.settings.silence_max(entry.series.kind()) {
                // The place is asked for again in each interval until the worker has given it up.
                for &(worker, place) in entry.holders.all() {
                    expired[worker as usize].push(place);
                }
                if entry.holders.is_nobody() {
                    self.left.push(at);
                }
                continue;
            }
            let mut to = To::ALL;
            if entry.is_apart {
                for (number, apart) in self.apart.iter_mut().enumerate() {
                    if let Some(fits) = apart.take(at, &cell) {
                        self.tally.held += u64::from(fits == Fits::Held);
                        to = to.without(number);
                    }
                }
            }
            let (kind, quantiles) = (entry.series.kind(), &self.settings.quantiles);
            let (value, fits) = entry.sums.value(kind, cell, times, quantiles);
            self.tally.held += u64::from(fits == Fits::Held);
            let point = value.map(|value| Point {
                series: Arc::clone(&entry.series),
                value,
            });
            match point {
                Some(point) if to == To::ALL => hand_on(point),
                Some(point) if to.is_for_any(self.apart.len()) => apart.push((to, point)),
                _ => {}
            }
        }
        let mut collided = Collided::default();
        for (number, own) in self.apart.iter_mut().enumerate() {
            let points = own.finish(|sums, kind, cell| {
                let quantiles = &self.settings.quantiles;
                let (value, fits) = sums.value(kind, cell, times, quantiles);
                self.tally.held += u64::from(fits == Fits::Held);
                value
            });
            apart.extend(points.into_iter().map(|point| (To::only(number), point)));
            collided.add(own.collided());
        }
        Finished {
            expired,
            apart,
            collided,
            tally: std::mem::take(&mut self.tally),
        }
    }

    /// Hands on a figure of the agent itself, under names that no client's series has at the same back end. To be called for
    /// each figure, once the interval is finished.
    pub fn own(&mut self, mut point: Point, mut hand_on: impl FnMut(To, Point)) {
        self.begin_own(&mut point);
        let mut to = To::ALL;
        for (number, apart) in self.apart.iter_mut().enumerate() {
            let series = apart.own(&point.series, &self.entries);
            if series != point.series {
                to = to.without(number);
                let value = point.value.clone();
                hand_on(To::only(number), Point { series, value });
            }
        }
        if to.is_for_any(self.apart.len()) {
            hand_on(to, point);
        }
    }

    /// Tells since when a counter of the agent itself counts.
    fn begin_own(&mut self, point: &mut Point) {
        let Aggregate::Counter {
            total,
            delta,
            since_ms,
            is_new,
        } = &mut point.value
        else {
            return;
        };
        let times = self.times;
        let is_first = !self.own.contains_key(&point.series);
        let own = self.own.entry(Arc::clone(&point.series));
        let own = own.or_insert(Own {
            since_ms: times.begin_ms,
            is_there: true,
        });
        own.is_there = true;
        *since_ms = own.since_ms;
        // A sum that goes on after a while was never zero in between.
        *is_new = is_first && times.is_in_order && total == delta;
    }

    /// Ends the figures of the agent itself, after all of them have been handed on. Names of figures that did not come are free.
    pub fn own_finish(&mut self) {
        let is_there = |_: &Arc<Series>, own: &mut Own| std::mem::take(&mut own.is_there);
        self.own.retain(is_there);
        self.apart.iter_mut().for_each(Apart::own_finish);
    }

    /// Returns series that some back end sees as one or under another name: at most `most` of them.
    pub fn shared(&self, most: usize) -> Vec<Shared> {
        let shared = self.apart.iter();
        let shared: BTreeSet<Shared> = shared
            .flat_map(|apart| apart.shared(&self.entries).take(most))
            .collect();
        shared.into_iter().take(most).collect()
    }

    /// Returns the held series.
    pub fn series(&self) -> impl Iterator<Item = &Series> {
        let entries = self.entries.iter().flatten();
        entries.map(|entry| &*entry.series)
    }

    fn hold(&mut self, worker: usize, place: Place, series: Arc<Series>) {
        let hash = self.hash.hash_one(&*series);
        let is_it = |at: &At| series_at(&self.entries, *at).is_some_and(|own| **own == *series);
        let at = match self.known.find(hash, is_it) {
            Some(&at) => at,
            None => self.enter(series, hash),
        };
        if let Some(held) = entry_of(&mut self.entries, at) {
            held.holders.add((worker as u32, place));
        }
        let places = &mut self.workers[worker];
        let index = place as usize;
        if places.len() <= index {
            places.resize(index + 1, NOTHING);
        }
        places[index] = at;
    }

    fn enter(&mut self, series: Arc<Series>, hash: u64) -> At {
        let entry = Some(Entry {
            series,
            holders: Holders::Nobody,
            cell: Cell::Empty,
            sums: Sums::default(),
            silent: 0,
            is_apart: false,
        });
        let at = match self.free.pop() {
            Some(at) => {
                self.entries[at as usize] = entry;
                at
            }
            None => {
                self.entries.push(entry);
                (self.entries.len() - 1) as At
            }
        };
        self.order.push(at);
        self.is_out_of_order = true;
        let (entries, state) = (&self.entries, &self.hash);
        self.known.insert_unique(hash, at, |at| {
            series_at(entries, *at).map_or(0, |series| state.hash_one(&**series))
        });
        for apart in &mut self.apart {
            for at in apart.enter(at, &self.entries) {
                if let Some(entry) = entry_of(&mut self.entries, at) {
                    entry.is_apart = true;
                }
            }
        }
        at
    }

    /// Removes a worker, whose store was replaced, from the holders of its series. The sums of these series live on until the
    /// series have been silent for long enough, or some worker gets them.
    fn forget_worker(&mut self, worker: usize) {
        for at in std::mem::take(&mut self.workers[worker]) {
            if let Some(entry) = entry_of(&mut self.entries, at) {
                entry.holders.retain(|(own, _)| own != worker as u32);
            }
        }
    }

    /// Removes a worker from the holders of a series whose place it gave up.
    fn let_go(&mut self, worker: usize, place: Place) {
        let Some(place_of) = self.workers[worker].get_mut(place as usize) else {
            return;
        };
        let at = std::mem::replace(place_of, NOTHING);
        let Some(entry) = entry_of(&mut self.entries, at) else {
            return;
        };
        entry.holders.retain(|own| own != (worker as u32, place));
        if entry.holders.is_nobody() {
            self.left.push(at);
        }
    }

    /// Forgets series without holders. A series is not forgotten as soon as its last holder gives it up, since another worker
    /// may have got the series in the same interval.
    fn forget_what_nobody_holds(&mut self) {
        for at in std::mem::take(&mut self.left) {
            let entry = &mut self.entries[at as usize];
            let Some(entry) = entry.take_if(|entry| entry.holders.is_nobody()) else {
                continue;
            };
            for apart in &mut self.apart {
                apart.leave(at, &entry.series);
            }
            let hash = self.hash.hash_one(&*entry.series);
            if let Ok(known) = self.known.find_entry(hash, |own| *own == at) {
                known.remove();
            }
            self.free.push(at);
            self.is_out_of_order = true;
        }
    }

    /// Sorts the entries by their series. Entries that were in order stay so, which makes this quick if few are new.
    fn put_in_order(&mut self) {
        if !std::mem::take(&mut self.is_out_of_order) {
            return;
        }
        let entries = &self.entries;
        self.order.retain(|at| series_at(entries, *at).is_some());
        self.order
            .sort_by(|a, b| series_at(entries, *a).cmp(&series_at(entries, *b)));
    }
}

/// Returns the entry at an index; `None` if there is no entry or it was given up.
fn entry_of(entries: &mut [Option<Entry>], at: At) -> Option<&mut Entry> {
    entries.get_mut(at as usize)?.as_mut()
}

fn series_at(entries: &[Option<Entry>], at: At) -> Option<&Arc<Series>> {
    let entry = entries.get(at as usize)?.as_ref();
    entry.map(|entry| &entry.series)
}

impl Settings {
    pub(crate) fn silence_max(&self, kind: Kind) -> u32 {
        if let Some(own) = self.expire_after_of.get(&kind) {
            return *own;
        }
        match kind {
            Kind::Counter | Kind::Rate | Kind::Gauge => self.expires_after,
            Kind::Timer | Kind::Histogram | Kind::Distribution | Kind::Set => {
                self.distributions_expire_after
            }
        }
    }
}

/// Result of [`Flusher::finish`].
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Places that each worker should give up at its next swap.
    pub expired: Vec<Vec<Place>>,
    /// Points that are not for everybody, each with its destinations.
    pub apart: Vec<(To, Point)>,
    /// Series that came in the interval and whose names some back end already knows.
    pub collided: Collided,
    /// Counts of all workers in the interval.
    pub tally: Tally,
}

#[cfg(test)]
mod tests;
