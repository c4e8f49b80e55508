//! Store of one worker: for each series, the sum or other result of the samples of this interval.
//!
//! A store belongs to one thread and takes a lock only for new series. The values of an interval leave the store by one
//! swap ([`Store::swap`]): a table of empty cells replaces the full one, however many series there are.

pub mod bins;
mod caps;
pub mod cardinality;
mod cell;
mod inflow;
mod names;
mod overflow;
mod rewriting;
mod tally;

pub use caps::{Caps, Limits, OVERFLOW_METRIC, OVERFLOW_TAG, Origin, Over};
pub use cell::{Cell, Relayed, Spread};
pub(crate) use cell::{Fits, add_up};
pub use tally::Tally;

use crate::canonical::{Meant, Refused, meant};
use crate::rewrite::Rewrite;
use crate::sample::{Kind, RawSeries, Values};
use crate::series::Series;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use inflow::Waiting;
use names::Names;
use overflow::{OVERFLOWS_MAX, Overflows, Reached};
use rewriting::known;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// Raw forms remembered for each series that the limits allow. Tags in another order make another raw form.
const FORMS_PER_SERIES: usize = 4;
/// Limit on the raw forms of one series, so that a client that keeps changing the order of its tags leaves room for others.
const FORMS_OF_ONE_MAX: usize = 256;
/// Index of a series in the tables of a store.
pub type Place = u32;

/// A series that has a place.
#[derive(Debug)]
struct Held {
    series: Arc<Series>,
    /// Origin that the series counts for; `None` for an overflow series.
    origin: Option<Origin>,
    /// Hash of the series' first raw form, if that form is remembered.
    first_form: Option<u64>,
    /// Bytes that the series counts for in the cap on text.
    text_bytes: u32,
}

/// Result of [`Store::swap`].
#[derive(Debug, Default)]
pub struct Swapped {
    /// The interval's values, by place.
    pub cells: Vec<Cell>,
    /// Series that got a place since the last swap.
    pub fresh: Vec<(Place, Arc<Series>)>,
    /// Places that were given up with this swap. They may belong to other series from now on.
    pub forgotten: Vec<Place>,
    /// Counts since the last swap.
    pub tally: Tally,
    /// True if the store was replaced since the last swap: all places from before are given up.
    pub is_new_store: bool,
}

/// Store of one worker (see the module).
#[derive(Debug)]
pub struct Store {
    names: Names,
    held: Vec<Option<Held>>,
    free: Vec<Place>,
    places: HashTable<Place>,
    hash: RandomState,
    cells: Vec<Cell>,
    fresh: Vec<(Place, Arc<Series>)>,
    tally: Tally,
    waiting: Waiting,
    /// Number of values of waiting samples that are not stored yet.
    values_waiting: u64,
    caps: Arc<Caps>,
    forms_max: usize,
    rewrite: Arc<Rewrite>,
    /// Swaps since the raw forms that a rule drops were forgotten.
    swaps: u32,
    /// Number of overflow series.
    overflows: usize,
    reached: Overflows,
}

impl Store {
    /// An empty store, under caps that it shares with other stores.
    pub fn new(caps: Arc<Caps>, limits: Limits) -> Self {
        Self {
            names: Names::default(),
            held: Vec::new(),
            free: Vec::new(),
            places: HashTable::new(),
            hash: RandomState::default(),
            cells: Vec::new(),
            fresh: Vec::new(),
            tally: Tally::default(),
            waiting: Waiting::default(),
            values_waiting: 0,
            caps,
            forms_max: limits.series_max.saturating_mul(FORMS_PER_SERIES),
            rewrite: Arc::default(),
            swaps: 0,
            overflows: 0,
            reached: Overflows::default(),
        }
    }

    /// Changes the number of raw forms that are remembered. All other limits are changed in the caps.
    pub fn change(&mut self, limits: Limits) {
        self.forms_max = limits.series_max.saturating_mul(FORMS_PER_SERIES);
    }

    /// Adds values to the cell of a place, or counts them as refused.
    fn add(&mut self, place: Result<Place, Refused>, kind: Kind, values: &Values<'_>, weight: f64) {
        let count = values.len() as u64;
        match place {
            Err(refused) => self.tally.refuse(refused, count),
            Ok(place) => {
                self.tally.stored += count;
                if self.cells[place as usize].take(kind, values, weight) == Fits::Held {
                    self.tally.held += 1;
                }
            }
        }
    }

    /// Takes the result of one series in an interval of another agent.
    ///
    /// # Errors
    /// If the series is refused; that is counted.
    pub fn take_relayed(
        &mut self,
        raw: &RawSeries<'_>,
        cell: Cell,
        origin: Origin,
    ) -> Result<(), Refused> {
        // Samples that came before are stored first.
        self.settle();
        let form = self.names.hash(raw);
        let place = match self.names.find(form, raw) {
            Some(place) => Ok(place),
            None => meant(raw).and_then(|meant| self.place_of(&meant, form, raw, 1, origin)),
        };
        let place = place.inspect_err(|refused| self.tally.refuse(*refused, 1))?;
        self.tally.stored += 1;
        if self.cells[place as usize].merge(cell) == Fits::Held {
            self.tally.held += 1;
        }
        Ok(())
    }

    /// Returns the values of the interval and begins the next interval with `spare`, cells that are all empty.
    ///
    /// `expired` are places to give up, except places that got a value in this interval.
    pub fn swap(&mut self, mut spare: Vec<Cell>, expired: &[Place]) -> Swapped {
        self.settle();
        debug_assert!(spare.iter().all(|cell| *cell == Cell::Empty));
        spare.resize_with(self.held.len(), Cell::default);
        let cells = std::mem::replace(&mut self.cells, spare);
        let forgotten = self.forget(expired, &cells);
        self.forget_dropped();
        Swapped {
            cells,
            fresh: std::mem::take(&mut self.fresh),
            forgotten,
            tally: std::mem::take(&mut self.tally),
            is_new_store: false,
        }
    }

    /// Returns the counts since the last swap.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the number of values taken that are neither stored nor counted in the tally yet.
    pub(crate) fn values_waiting(&self) -> u64 {
        self.values_waiting
    }

    /// Continues the counts of another store.
    pub(crate) fn count_on_from(&mut self, tally: Tally) {
        self.tally = tally;
    }

    /// Returns the number of series with a place.
    pub fn series(&self) -> usize {
        self.places.len()
    }

    /// Returns the bytes of the store's tables, without the contents of cells.
    pub fn size_bytes(&self) -> usize {
        let held = self
            .held
            .iter()
            .flatten()
            .map(|held| held.series.size_bytes());
        self.names.size_bytes()
            + held.sum::<usize>()
            + self.held.capacity() * size_of::<Option<Held>>()
            + self.cells.capacity() * size_of::<Cell>()
            + self.places.allocation_size()
    }

    /// Returns the place of a series of which `values` values came.
    fn place(
        &mut self,
        form: u64,
        raw: &RawSeries<'_>,
        values: u64,
        origin: Origin,
    ) -> Result<Place, Refused> {
        match self.names.find(form, raw) {
            Some(place) => known(place),
            None => self.place_of_new(form, raw, values, origin),
        }
    }

    /// Returns the place of a series that came in a raw form which is not known.
    fn place_of(
        &mut self,
        meant: &Meant<'_>,
        form: u64,
        raw: &RawSeries<'_>,
        values: u64,
        origin: Origin,
    ) -> Result<Place, Refused> {
        let hash = hash_of(
            &self.hash,
            meant.kind,
            meant.metric,
            meant.tags.iter().copied(),
        );
        let held = |place: &Place| self.held[*place as usize].as_ref();
        let is_it = |place: &Place| held(place).is_some_and(|held| meant.is(&held.series));
        if let Some(&place) = self.places.find(hash, is_it) {
            self.remember(form, raw, place);
            return Ok(place);
        }
        let sorted = meant
            .tags
            .iter()
            .map(|(key, value)| key.len() + value.len());
        let sorted_bytes = meant.metric.len() + sorted.sum::<usize>();
        let text_bytes = sorted_bytes + raw.metric.len() + raw.tags.len();
        // Read before the caps are asked, so that room made in the meantime is noticed.
        let room = self.caps.room();
        let named = (meant.kind, meant.metric);
        if let Some((over, place)) = self.reached.place(named, origin, text_bytes, room) {
            self.tally.overflow(over, values);
            return Ok(place);
        }
        match self.caps.admit(meant.metric, origin, text_bytes) {
            Ok(origin) => {
                let place = self.hold(meant.series()?, hash, Some(origin), text_bytes);
                self.remember(form, raw, place);
                Ok(place)
            }
            // The raw form is not remembered: the raw forms of an attack would fill the memory.
            Err(over) => {
                self.tally.overflow(over, values);
                self.overflow(meant, |place| Reached {
                    over,
                    origin,
                    text_bytes,
                    place,
                    room,
                })
            }
        }
    }

    /// Returns the place of the overflow series for a series over a cap: the overflow series of its metric, if the metric is
    /// known and there are not too many overflow series, otherwise the one of its kind for all other metrics. Overflow series
    /// do not count against caps.
    fn overflow(
        &mut self,
        meant: &Meant<'_>,
        reached: impl Fn(Place) -> Reached,
    ) -> Result<Place, Refused> {
        if self.caps.knows(meant.metric) {
            let series = overflow_of(meant.kind, meant.metric)?;
            let known = self.find(&series);
            if known.is_some() || self.overflows < OVERFLOWS_MAX {
                let place = known.unwrap_or_else(|| self.hold_overflow(series));
                self.reached
                    .remember((meant.kind, meant.metric), reached(place));
                return Ok(place);
            }
        }
        if let Some(place) = self.reached.place_of_others(meant.kind) {
            return Ok(place);
        }
        let series = overflow_of(meant.kind, OVERFLOW_METRIC)?;
        let known = self.find(&series);
        let place = known.unwrap_or_else(|| self.hold_overflow(series));
        self.reached.remember_others(meant.kind, place);
        Ok(place)
    }

    fn hold_overflow(&mut self, series: Series) -> Place {
        self.overflows += 1;
        let hash = hash_of_series(&self.hash, &series);
        self.hold(series, hash, None, 0)
    }

    /// Remembers the first raw form of a series in any case, and others as long as there is room for them.
    fn remember(&mut self, form: u64, raw: &RawSeries<'_>, place: Place) {
        let Some(held) = self.held[place as usize].as_mut() else {
            return;
        };
        if held.first_form.is_none() {
            held.first_form = Some(form);
            self.names.insert(form, raw, place);
        } else if self.names.len() < self.forms_max
            && self.names.further(place) + 1 < FORMS_OF_ONE_MAX
            && self.caps.admit_form(raw.metric.len() + raw.tags.len())
        {
            self.names.insert_further(form, raw, place);
        }
    }

    fn find(&self, series: &Series) -> Option<Place> {
        let is_it = |place: &Place| {
            let held = self.held[*place as usize].as_ref();
            held.is_some_and(|held| *held.series == *series)
        };
        let hash = hash_of_series(&self.hash, series);
        self.places.find(hash, is_it).copied()
    }

    fn hold(
        &mut self,
        series: Series,
        hash: u64,
        origin: Option<Origin>,
        text_bytes: usize,
    ) -> Place {
        let series = Arc::new(series);
        let held = Some(Held {
            series: Arc::clone(&series),
            origin,
            first_form: None,
            text_bytes: u32::try_from(text_bytes).unwrap_or(u32::MAX),
        });
        let place = match self.free.pop() {
            Some(place) => {
                self.held[place as usize] = held;
                place
            }
            None => {
                self.held.push(held);
                self.cells.push(Cell::Empty);
                (self.held.len() - 1) as Place
            }
        };
        let (all, state) = (&self.held, &self.hash);
        self.places.insert_unique(hash, place, |place| {
            let held = all[*place as usize].as_ref();
            held.map_or(0, |held| hash_of_series(state, &held.series))
        });
        self.fresh.push((place, series));
        place
    }

    /// Gives up places that have no value in `cells`.
    fn forget(&mut self, expired: &[Place], cells: &[Cell]) -> Vec<Place> {
        let mut forgotten = Vec::new();
        for &place in expired {
            if cells
                .get(place as usize)
                .is_none_or(|cell| *cell != Cell::Empty)
            {
                continue;
            }
            let Some(held) = self.held[place as usize].take() else {
                continue;
            };
            let hash = hash_of_series(&self.hash, &held.series);
            if let Ok(entry) = self.places.find_entry(hash, |own| *own == place) {
                entry.remove();
            }
            if let Some(form) = held.first_form {
                let further_bytes = self.names.forget(form, place);
                if further_bytes > 0 {
                    self.caps.release_forms(further_bytes);
                }
            }
            self.give_back(&held);
            forgotten.push(place);
        }
        if !forgotten.is_empty() {
            self.reached.clear();
        }
        self.free.extend(&forgotten);
        forgotten
    }

    fn give_back(&mut self, held: &Held) {
        match held.origin {
            Some(origin) => {
                let text_bytes = held.text_bytes as usize;
                self.caps.release(held.series.metric(), origin, text_bytes);
            }
            None => self.overflows = self.overflows.saturating_sub(1),
        }
    }
}

impl Drop for Store {
    /// Gives back the counts: series count against their caps only as long as a store holds them.
    fn drop(&mut self) {
        for held in std::mem::take(&mut self.held).iter().flatten() {
            self.give_back(held);
        }
        self.caps.release_forms(self.names.further_bytes());
    }
}

fn overflow_of(kind: Kind, metric: &str) -> Result<Series, Refused> {
    Series::new(kind, metric, &[OVERFLOW_TAG]).ok_or(Refused::LongMetric)
}

fn hash_of_series(state: &RandomState, series: &Series) -> u64 {
    hash_of(state, series.kind(), series.metric(), series.tags())
}

/// Returns the hash of a series, whether the series exists already or is only meant.
fn hash_of<'t>(
    state: &RandomState,
    kind: Kind,
    metric: &str,
    tags: impl Iterator<Item = (&'t str, &'t str)>,
) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write_u8(kind as u8);
    let mut part = |part: &str| {
        hasher.write_usize(part.len());
        hasher.write(part.as_bytes());
    };
    part(metric);
    for (key, value) in tags {
        part(key);
        part(value);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
