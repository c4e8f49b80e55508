//! Result of the samples of one series in one interval.

use super::bins::SignedBins;
use super::cardinality::Distinct;
use crate::sample::{Kind, Values};
use std::hint::black_box;

/// Count, sum and extremes of values, with their bins.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spread {
    /// Weight of all values.
    pub count: f64,
    /// Sum of the values.
    pub sum: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Bins of all values.
    pub bins: SignedBins,
}

/// A gauge that another agent relayed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Relayed {
    /// Value of the gauge.
    pub value: f64,
    /// End of the interval that the value belongs to, in milliseconds since 1970.
    pub end_ms: i64,
}

/// Result of an interval. `Empty` is a series that had no sample.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Cell {
    /// No sample came.
    #[default]
    Empty,
    /// Sum of value times weight, for counters and rates.
    Sum(f64),
    /// Last value, for gauges.
    Last(f64),
    /// Last value that another agent relayed, for gauges. In a box, since few series have such a value.
    Relayed(Box<Relayed>),
    /// Change since the value before, for gauges that have got no value.
    Change(f64),
    /// Values with their bins, for timers, histograms and distributions.
    Spread(Box<Spread>),
    /// Members, for sets.
    Distinct(Box<Distinct>),
}

impl Cell {
    /// Adds samples. The result tells whether their sum fits.
    pub(super) fn take(&mut self, kind: Kind, values: &Values<'_>, weight: f64) -> Fits {
        let mut fits = Fits::Whole;
        match (kind, values) {
            (Kind::Counter | Kind::Rate, Values::Numbers(numbers)) => {
                let more = numbers.iter().sum::<f64>() * weight;
                match self {
                    Self::Sum(sum) => fits = add_up(sum, more),
                    _ => {
                        let mut sum = 0.0;
                        fits = add_up(&mut sum, more);
                        *self = Self::Sum(sum);
                    }
                }
            }
            // A gauge has its last value, however many measurements that value stands for.
            (Kind::Gauge, Values::Numbers(numbers)) => {
                if let Some(&last) = numbers.last() {
                    *self = Self::Last(last);
                }
            }
            (Kind::Gauge, Values::Change(change)) => fits = self.merge(Self::Change(*change)),
            (Kind::Timer | Kind::Histogram | Kind::Distribution, Values::Numbers(numbers)) => {
                let spread = self.spread();
                for &value in *numbers {
                    fits = fits.and(spread.add(value, weight));
                }
            }
            (Kind::Set, Values::Member(member)) => self.distinct().add(member_hash(member)),
            (Kind::Set, Values::Numbers(numbers)) => {
                for number in *numbers {
                    self.distinct()
                        .add(member_hash(&number.to_bits().to_le_bytes()));
                }
            }
            // No protocol makes these: a change of a series that is no gauge, or a member of a series that is no set.
            (_, Values::Change(_) | Values::Member(_)) => {}
        }
        fits
    }

    /// Adds the result that another worker or another agent has for the same series. Gauges in `other` are the later ones, with
    /// one exception: the gauge of another agent is older than a value of this agent, whose interval is still running, and older
    /// than a relayed gauge whose interval ended later.
    pub(crate) fn merge(&mut self, other: Self) -> Fits {
        match (&mut *self, other) {
            (_, Self::Empty) | (Self::Last(_), Self::Relayed(_)) => {}
            (Self::Sum(sum), Self::Sum(more)) => return add_up(sum, more),
            (Self::Last(gauge) | Self::Change(gauge), Self::Change(change)) => {
                return add_up(gauge, change);
            }
            (Self::Relayed(gauge), Self::Change(change)) => {
                return add_up(&mut gauge.value, change);
            }
            (Self::Relayed(known), Self::Relayed(other)) if other.end_ms < known.end_ms => {}
            (Self::Spread(spread), Self::Spread(more)) => return spread.merge(&more),
            (Self::Distinct(set), Self::Distinct(more)) => set.merge(&more),
            (_, other) => *self = other,
        }
        Fits::Whole
    }

    /// Loads the memory that a cell points to into the cache.
    pub(super) fn fetch(&self) {
        if let Self::Spread(spread) = self {
            black_box(spread.count);
        }
    }

    fn spread(&mut self) -> &mut Spread {
        if !matches!(self, Self::Spread(_)) {
            *self = Self::Spread(Box::default());
        }
        match self {
            Self::Spread(spread) => spread,
            _ => unreachable!("made just now"),
        }
    }

    fn distinct(&mut self) -> &mut Distinct {
        if !matches!(self, Self::Distinct(_)) {
            *self = Self::Distinct(Box::default());
        }
        match self {
            Self::Distinct(set) => set,
            _ => unreachable!("made just now"),
        }
    }
}

impl Spread {
    fn add(&mut self, value: f64, weight: f64) -> Fits {
        if self.count == 0.0 {
            (self.min, self.max) = (value, value);
        }
        self.count += weight;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.bins.add(value, weight);
        add_up(&mut self.sum, value * weight)
    }

    fn merge(&mut self, other: &Self) -> Fits {
        if self.count == 0.0 {
            *self = other.clone();
            return Fits::Whole;
        }
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.bins.merge(&other.bins);
        add_up(&mut self.sum, other.sum)
    }
}

/// Result of adding to a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fits {
    /// The sum is complete.
    Whole,
    /// The sum would be infinite, and stays at the largest finite number. Charts do not show infinity, and nothing could be
    /// added to it any more.
    Held,
}

impl Fits {
    fn and(self, other: Self) -> Self {
        match self {
            Self::Whole => other,
            Self::Held => Self::Held,
        }
    }
}

/// Adds to a sum, which is finite and stays finite.
pub(crate) fn add_up(sum: &mut f64, more: f64) -> Fits {
    let exact = *sum + more;
    *sum = exact.clamp(f64::MIN, f64::MAX);
    match exact.is_finite() {
        true => Fits::Whole,
        false => Fits::Held,
    }
}

/// Returns a hash that is the same on every host and in every run, so that sets can be merged: FNV-1a, whose bits are then
/// mixed as in splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
fn member_hash(member: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in member {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(kind: Kind, all: &[(Values<'_>, f64)]) -> Cell {
        let mut cell = Cell::default();
        for (values, weight) in all {
            cell.take(kind, values, *weight);
        }
        cell
    }

    #[test]
    fn a_sampled_count_stands_for_all() {
        let cell = taken(
            Kind::Counter,
            &[
                (Values::Numbers(&[2.0, 1.0]), 10.0),
                (Values::Numbers(&[5.0]), 1.0),
            ],
        );
        assert_eq!(cell, Cell::Sum(35.0));
    }

    #[test]
    fn a_gauge_goes_on_from_its_last_value() {
        let down = (Values::Change(-3.0), 1.0);
        assert_eq!(taken(Kind::Gauge, &[down, down]), Cell::Change(-6.0));
        let later = [
            down,
            (Values::Numbers(&[1.0, 4.0]), 5.0),
            (Values::Change(2.0), 5.0),
        ];
        assert_eq!(taken(Kind::Gauge, &later), Cell::Last(6.0));
    }

    #[test]
    fn the_gauge_whose_interval_ended_last_holds_and_one_that_came_here_is_later_still() {
        let relayed = |value, end_ms| Cell::Relayed(Box::new(Relayed { value, end_ms }));
        let merged = |cells: &[Cell]| {
            let mut cell = Cell::Empty;
            for other in cells {
                cell.merge(other.clone());
            }
            cell
        };
        let (older, newer) = (relayed(1.0, 10), relayed(2.0, 20));
        assert_eq!(merged(&[older.clone(), newer.clone()]), newer);
        assert_eq!(merged(&[newer.clone(), older.clone()]), newer);
        assert_eq!(merged(&[older.clone(), relayed(3.0, 10)]), relayed(3.0, 10));
        let own = Cell::Last(5.0);
        assert_eq!(merged(&[own.clone(), newer.clone()]), own);
        assert_eq!(merged(&[newer.clone(), own.clone()]), own);
        assert_eq!(merged(&[newer, Cell::Change(-0.5)]), relayed(1.5, 20));
    }

    #[test]
    fn sums_stay_finite_and_say_so() {
        let large = Values::Numbers(&[1e308]);
        for kind in [Kind::Counter, Kind::Rate, Kind::Timer] {
            let mut cell = Cell::default();
            assert_eq!(cell.take(kind, &large, 1.0), Fits::Whole);
            assert_eq!(cell.take(kind, &large, 1e9), Fits::Held);
            assert_eq!(cell.merge(cell.clone()), Fits::Held);
            match cell {
                Cell::Sum(sum) => assert_eq!(sum, f64::MAX),
                Cell::Spread(spread) => assert_eq!((spread.sum, spread.max), (f64::MAX, 1e308)),
                other => panic!("{other:?}"),
            }
        }
        let mut cell = Cell::default();
        assert_eq!(
            cell.take(Kind::Counter, &Values::Numbers(&[-1e308]), 10.0),
            Fits::Held
        );
        assert_eq!(
            cell.take(Kind::Counter, &Values::Numbers(&[f64::MAX]), 1.0),
            Fits::Whole
        );
        assert_eq!(cell, Cell::Sum(0.0));
        let mut gauge = Cell::Last(f64::MAX);
        assert_eq!(gauge.merge(Cell::Change(f64::MAX)), Fits::Held);
        assert_eq!(gauge, Cell::Last(f64::MAX));
    }

    #[test]
    fn quantiles_hold_under_mixed_rates() {
        // 90 measurements of 1, of which one in ten was sent, and 10 measurements of 100, which were all sent.
        let mut all = vec![(Values::Numbers(&[1.0]), 10.0); 9];
        all.extend(vec![(Values::Numbers(&[100.0]), 1.0); 10]);
        let Cell::Spread(spread) = taken(Kind::Timer, &all) else {
            panic!("a timer has a spread");
        };
        assert_eq!((spread.count, spread.sum), (100.0, 1090.0));
        assert_eq!((spread.min, spread.max), (1.0, 100.0));
        let quantiles = spread.bins.quantiles(&[0.5, 0.9, 0.95]);
        let values: Vec<f64> = quantiles.iter().map(|(_, value)| value.round()).collect();
        assert_eq!(values, [1.0, 1.0, 100.0]);
    }

    #[test]
    fn workers_are_put_together() {
        let mut sum = Cell::Sum(1.0);
        sum.merge(Cell::Empty);
        sum.merge(Cell::Sum(2.0));
        assert_eq!(sum, Cell::Sum(3.0));
        let mut nothing = Cell::Empty;
        nothing.merge(Cell::Last(4.0));
        assert_eq!(nothing, Cell::Last(4.0));
        let member = |name: &'static [u8]| taken(Kind::Set, &[(Values::Member(name), 1.0)]);
        let mut set = member(b"a");
        set.merge(member(b"b"));
        set.merge(member(b"a"));
        assert!(matches!(set, Cell::Distinct(set) if set.estimate() == 2.0));
    }
}
