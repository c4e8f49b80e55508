//! Results of a series over all its intervals, and the value that is sent for one interval.

use crate::aggregate::{Aggregate, Summary};
use crate::sample::Kind;
use crate::store::{Cell, Fits, Relayed, Spread, add_up};

/// State of a series that outlives an interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sums {
    /// For a counter, the sum since the series is held; for a gauge, the last value.
    standing: f64,
    /// For a counter, the start of its first interval; for a gauge, the end of the interval that its last value belongs to.
    standing_ms: i64,
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            standing: 0.0,
            standing_ms: i64::MIN,
        }
    }
}

impl Sums {
    /// Takes over the results of another series, which belongs to this one from now on.
    pub(super) fn join(&mut self, kind: Kind, other: &Self) {
        if other.standing_ms == i64::MIN {
            return;
        }
        let is_first = self.standing_ms == i64::MIN;
        match kind {
            Kind::Counter => {
                add_up(&mut self.standing, other.standing);
                self.standing_ms = match is_first {
                    true => other.standing_ms,
                    false => self.standing_ms.min(other.standing_ms),
                };
            }
            _ if is_first || other.standing_ms > self.standing_ms => *self = *other,
            _ => {}
        }
    }

    /// Returns the value to send for the interval, and whether its sum fits.
    pub(super) fn value(
        &mut self,
        kind: Kind,
        cell: Cell,
        seconds: f64,
        end_ms: i64,
        quantiles: &[f64],
    ) -> (Option<Aggregate>, Fits) {
        let mut fits = Fits::Whole;
        let value = match (kind, cell) {
            (Kind::Counter, cell) => {
                let delta = sum_of(&cell);
                fits = add_up(&mut self.standing, delta);
                if self.standing_ms == i64::MIN {
                    self.standing_ms = end_ms.saturating_sub((seconds * 1000.0).round() as i64);
                }
                Aggregate::Counter {
                    total: self.standing,
                    delta,
                    since_ms: self.standing_ms,
                }
            }
            (Kind::Rate, cell) => {
                let mut rate = 0.0;
                fits = add_up(&mut rate, sum_of(&cell) / seconds.max(f64::MIN_POSITIVE));
                Aggregate::Rate(rate)
            }
            (Kind::Gauge, cell) => {
                fits = self.stand(cell, end_ms);
                Aggregate::Gauge(self.standing)
            }
            (Kind::Timer, Cell::Spread(spread)) => Aggregate::Timer(
                Box::new(summary(&spread, quantiles)),
                Box::new(spread.bins.into_buckets()),
            ),
            (Kind::Histogram, Cell::Spread(spread)) => Aggregate::Histogram(
                Box::new(summary(&spread, &[])),
                Box::new(spread.bins.into_buckets()),
            ),
            (Kind::Distribution, Cell::Spread(spread)) => Aggregate::Distribution(
                Box::new(summary(&spread, quantiles)),
                Box::new(spread.bins.into_buckets()),
            ),
            (Kind::Set, Cell::Distinct(set)) => Aggregate::Set(set),
            (Kind::Timer | Kind::Histogram | Kind::Distribution | Kind::Set, _) => {
                return (None, fits);
            }
        };
        (Some(value), fits)
    }

    /// Sets a gauge to its last value. A value that another agent relays late does not replace a later value. A value from a
    /// clock that is ahead counts for the end of this interval.
    fn stand(&mut self, cell: Cell, end_ms: i64) -> Fits {
        match cell {
            Cell::Last(last) => (self.standing, self.standing_ms) = (last, end_ms),
            Cell::Relayed(gauge) => {
                let Relayed { value, end_ms: at } = *gauge;
                let at = at.min(end_ms);
                if at >= self.standing_ms {
                    (self.standing, self.standing_ms) = (value, at);
                }
            }
            Cell::Change(change) => return add_up(&mut self.standing, change),
            _ => {}
        }
        Fits::Whole
    }
}

fn sum_of(cell: &Cell) -> f64 {
    match cell {
        Cell::Sum(sum) => *sum,
        _ => 0.0,
    }
}

/// Makes a summary. Its quantiles lie between the extremes, which are exact.
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
