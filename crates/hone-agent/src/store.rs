//! What one worker stores: for each series, what the samples of this interval add up to.
//!
//! A store belongs to one thread and takes no lock but for series that are new. The values of an interval leave it by
//! one swap ([`Store::swap`]): a table of empty cells takes the place of the full one, however many series there are.

pub mod bins;
mod caps;
mod cell;
pub mod distinct;
mod forget_all;
mod names;

pub use caps::{Caps, Limits, OVERFLOW_METRIC, OVERFLOW_TAG, Origin, Over};
pub use cell::{Cell, Spread};

use crate::canonical::{Refused, canonical};
use crate::sample::Sample;
use crate::series::Series;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use names::Names;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Further raw forms remembered, for each series that may be: tags in another order make another form.
const FORMS_PER_SERIES: usize = 4;
/// Raw forms of one series, so that a client that sends its tags in ever another order leaves room for others.
const FORMS_OF_ONE_MAX: u32 = 256;
/// Bytes that the text of a further raw form takes on average, at most.
const FORM_BYTES_USUAL: usize = 128;

/// Where a series stands in the tables of a store.
pub type Place = u32;

/// A series that has a place.
#[derive(Debug)]
struct Held {
    series: Arc<Series>,
    /// Whom it counts for; `None` for one that takes what is over a cap.
    origin: Option<Origin>,
    /// Its raw forms that are remembered.
    forms: u32,
    /// The hash of the first of them.
    first_form: u64,
}

/// Samples that went nowhere or elsewhere, by reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Values stored, those in overflow series too.
    pub stored: u64,
    /// Of these, values that went to an overflow series.
    pub overflowed: HashMap<Over, u64>,
    /// Values dropped because their series is not one.
    pub refused: HashMap<Refused, u64>,
}

impl Tally {
    /// Adds what another worker counted.
    pub fn add(&mut self, other: Self) {
        self.stored += other.stored;
        for (over, count) in other.overflowed {
            *self.overflowed.entry(over).or_default() += count;
        }
        for (refused, count) in other.refused {
            *self.refused.entry(refused).or_default() += count;
        }
    }
}

/// What [`Store::swap`] gives.
#[derive(Debug, Default)]
pub struct Swapped {
    /// The interval's values, by place.
    pub cells: Vec<Cell>,
    /// Series that got a place since the last swap.
    pub fresh: Vec<(Place, Arc<Series>)>,
    /// Places that were given up with this swap; they may stand for other series from now on.
    pub forgotten: Vec<Place>,
    /// What was counted since the last swap.
    pub tally: Tally,
}

/// See the module.
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
    caps: Arc<Caps>,
    forms_max: usize,
}

impl Store {
    /// An empty one, under caps that it shares with others.
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
            caps,
            forms_max: limits.series_max.saturating_mul(FORMS_PER_SERIES),
        }
    }

    /// Remembers as many raw forms as other limits allow. Those are in force where they are changed in the caps.
    pub fn change(&mut self, limits: Limits) {
        self.forms_max = limits.series_max.saturating_mul(FORMS_PER_SERIES);
    }

    /// Takes a sample.
    pub fn take(&mut self, sample: &Sample<'_>, origin: Origin) {
        let values = sample.values.len() as u64;
        let raw = &sample.series;
        let hash = self.names.hash(raw);
        let place = match self.names.find(hash, raw) {
            Some(place) => place,
            None => match self.place_of_new(hash, sample, origin) {
                Ok(place) => place,
                Err(refused) => {
                    *self.tally.refused.entry(refused).or_default() += values;
                    return;
                }
            },
        };
        self.tally.stored += values;
        self.cells[place as usize].take(raw.kind, &sample.values, sample.weight);
    }

    /// Gives the values of the interval and begins the next one with `spare`, cells that are all empty.
    ///
    /// `expired` are places to give up, unless they got a value after all.
    pub fn swap(&mut self, mut spare: Vec<Cell>, expired: &[Place]) -> Swapped {
        debug_assert!(spare.iter().all(|cell| *cell == Cell::Empty));
        spare.resize_with(self.held.len(), Cell::default);
        let cells = std::mem::replace(&mut self.cells, spare);
        let forgotten = self.forget(expired, &cells);
        Swapped {
            cells,
            fresh: std::mem::take(&mut self.fresh),
            forgotten,
            tally: std::mem::take(&mut self.tally),
        }
    }

    /// Series with a place.
    pub fn series(&self) -> usize {
        self.places.len()
    }

    /// Bytes of its tables, without what is in cells.
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

    fn place_of_new(
        &mut self,
        hash: u64,
        sample: &Sample<'_>,
        origin: Origin,
    ) -> Result<Place, Refused> {
        let series = canonical(&sample.series)?;
        if let Some(place) = self.find(&series) {
            self.remember(hash, sample, place);
            return Ok(place);
        }
        match self.caps.admit(series.metric(), origin) {
            Ok(()) => {
                let place = self.hold(series, Some(origin));
                self.remember(hash, sample, place);
                Ok(place)
            }
            // Its raw form is not remembered: those of an attack would fill the memory.
            Err(over) => {
                *self.tally.overflowed.entry(over).or_default() += sample.values.len() as u64;
                let overflow = self.caps.overflow(series.kind(), series.metric());
                let overflow = overflow.ok_or(Refused::LongMetric)?;
                Ok(match self.find(&overflow) {
                    Some(place) => place,
                    None => self.hold(overflow, None),
                })
            }
        }
    }

    /// Remembers the first raw form of a series in any case, and others as long as there is room for them.
    fn remember(&mut self, hash: u64, sample: &Sample<'_>, place: Place) {
        let is_room = self.names.len() < self.forms_max
            && self.names.text_bytes() < self.forms_max.saturating_mul(FORM_BYTES_USUAL);
        let Some(held) = self.held[place as usize].as_mut() else {
            return;
        };
        if held.forms == 0 || (is_room && held.forms < FORMS_OF_ONE_MAX) {
            if held.forms == 0 {
                held.first_form = hash;
            }
            held.forms += 1;
            self.names.insert(hash, &sample.series, place);
        }
    }

    fn find(&self, series: &Series) -> Option<Place> {
        let is_it = |place: &Place| {
            let held = self.held[*place as usize].as_ref();
            held.is_some_and(|held| *held.series == *series)
        };
        self.places.find(self.hash.hash_one(series), is_it).copied()
    }

    fn hold(&mut self, series: Series, origin: Option<Origin>) -> Place {
        let series = Arc::new(series);
        let hash = self.hash.hash_one(&*series);
        let held = Some(Held {
            series: Arc::clone(&series),
            origin,
            forms: 0,
            first_form: 0,
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
            held.map_or(0, |held| state.hash_one(&*held.series))
        });
        self.fresh.push((place, series));
        place
    }

    /// Gives up places that have no value in `cells`.
    fn forget(&mut self, expired: &[Place], cells: &[Cell]) -> Vec<Place> {
        let mut forgotten = Vec::new();
        let mut have_more_forms = false;
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
            match held.forms {
                0 => {}
                1 => self.names.forget_only(held.first_form, place),
                _ => have_more_forms = true,
            }
            let hash = self.hash.hash_one(&*held.series);
            if let Ok(entry) = self.places.find_entry(hash, |own| *own == place) {
                entry.remove();
            }
            if let Some(origin) = held.origin {
                self.caps.release(held.series.metric(), origin);
            }
            forgotten.push(place);
        }
        // Where tags always come in the same order, this does not look at all that stays.
        if have_more_forms {
            let held = &self.held;
            self.names.forget(|place| held[place as usize].is_none());
        }
        self.free.extend(&forgotten);
        forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Kind, RawSeries, TagSyntax, Values};

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
            store.take(&sample("m", tags, &[1.0]), 0);
        }
        store.take(&sample("m", "a=1", &[1.0, 1.0]), 0);
        let swapped = store.swap(Vec::new(), &[]);
        let expected = [("m a=1,b=2", 4.0), ("m a=1", 2.0)];
        let expected = expected.map(|(name, sum)| (name.to_owned(), Cell::Sum(sum)));
        assert_eq!(named(&swapped), expected);
        assert_eq!(swapped.tally.stored, 6);
    }

    #[test]
    fn after_a_swap_series_keep_their_places_and_lose_their_values() {
        let mut store = store(Limits::default());
        store.take(&sample("a", "", &[1.0]), 0);
        store.take(&sample("b", "", &[1.0]), 0);
        store.swap(Vec::new(), &[]);
        store.take(&sample("b", "", &[5.0]), 0);
        let swapped = store.swap(Vec::new(), &[]);
        assert_eq!(swapped.cells, [Cell::Empty, Cell::Sum(5.0)]);
        assert!(swapped.fresh.is_empty());
    }

    #[test]
    fn what_is_over_a_cap_comes_together_and_is_counted() {
        let limits = Limits {
            series_max: 4,
            per_metric_max: 2,
            per_origin_max: 100,
        };
        let mut store = store(limits);
        for tags in ["n=1", "n=2", "n=3", "n=4", "n=3"] {
            store.take(&sample("m", tags, &[1.0]), 5);
        }
        for metric in ["x", "y", "z", "zz"] {
            store.take(&sample(metric, "", &[1.0]), 5);
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
            store.take(&sample("m", &format!("n={number}"), &[1.0]), 1);
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
            store.take(&sample(metric, "", &[1.0]), 0);
        }
        store.swap(Vec::new(), &[]);
        store.take(&sample("b", "", &[1.0]), 0);
        let swapped = store.swap(Vec::new(), &[0, 1]);
        assert_eq!(swapped.forgotten, [0]);
        assert_eq!(store.caps.series(), 2);
        store.take(&sample("d", "", &[7.0]), 0);
        store.take(&sample("a", "", &[9.0]), 0);
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
            // Of a key that comes twice the last holds: always the same series.
            store.take(&sample("m", &format!("a={number}|a=1"), &[1.0]), 1);
        }
        assert_eq!(store.names.len(), FORMS_OF_ONE_MAX as usize);
        store.take(&sample("other", "", &[1.0]), 1);
        assert_eq!(store.names.len(), FORMS_OF_ONE_MAX as usize + 1);
        let expected = [("m a=1", 2_000.0), ("other ", 1.0)];
        let expected = expected.map(|(name, sum)| (name.to_owned(), Cell::Sum(sum)));
        assert_eq!(named(&store.swap(Vec::new(), &[])), expected);
    }

    #[test]
    fn what_is_forgotten_leaves_no_form_behind() {
        let mut store = store(Limits::default());
        for (metric, tags) in [("a", "x=1|y=2"), ("a", "y=2|x=1"), ("b", ""), ("c", "")] {
            store.take(&sample(metric, tags, &[1.0]), 1);
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
            store.take(&sample("m", &format!("a={number}|a=1"), &[1.0]), 1);
        }
        assert_eq!(store.names.len(), FORMS_PER_SERIES);
        store.take(&sample("m", "", &[1.0]), 1);
        let form = sample("m", "otel.metric.overflow=true", &[1.0]);
        store.take(&form, 1);
        let hash = store.names.hash(&form.series);
        assert!(store.names.find(hash, &form.series).is_some());
    }

    #[test]
    fn what_is_no_series_is_counted_by_reason() {
        let mut store = store(Limits::default());
        store.take(&sample("m", "=1", &[1.0, 2.0]), 0);
        let swapped = store.swap(Vec::new(), &[]);
        assert_eq!(swapped.tally.refused.get(&Refused::NoKey), Some(&2));
        assert_eq!(swapped.tally.stored, 0);
    }
}
