//! Results of a series over all its intervals, and the value that is sent for one interval.

use crate::aggregate::{Aggregate, Summary};
use crate::sample::Kind;
use crate::store::{Cell, Fits, Relayed, Spread, add_up};

/// Times of an interval.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Times {
    /// Length in seconds.
    seconds: f64,
    pub(super) end_ms: i64,
    /// Time at which counters that are new in the interval were zero.
    pub(super) begin_ms: i64,
    /// True if that time is later than all samples before this interval.
    pub(super) is_in_order: bool,
}

impl Times {
    /// Times of an interval that begins after `latest_ms`, the time of the latest sample of earlier intervals. The clock may
    /// have been set back since, and an interval that was noticed late reaches back into the one before.
    pub(super) fn new(end_ms: i64, length_ms: u32, latest_ms: i64) -> Self {
        let start_ms = end_ms.saturating_sub(length_ms.into());
        let after_ms = latest_ms.saturating_add(1);
        let is_in_order = after_ms < end_ms;
        Self {
            seconds: f64::from(length_ms) / 1000.0,
            end_ms,
            begin_ms: match is_in_order {
                true => start_ms.max(after_ms),
                false => start_ms,
            },
            is_in_order,
        }
    }
}

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
        times: Times,
        quantiles: &[f64],
    ) -> (Option<Aggregate>, Fits) {
        let mut fits = Fits::Whole;
        let value = match (kind, cell) {
            (Kind::Counter, cell) => {
                let delta = sum_of(&cell);
                fits = add_up(&mut self.standing, delta);
                let is_first = self.standing_ms == i64::MIN;
                if is_first {
                    self.standing_ms = times.begin_ms;
                }
                Aggregate::Counter {
                    total: self.standing,
                    delta,
                    since_ms: self.standing_ms,
                    is_new: is_first && times.is_in_order,
                }
            }
            (Kind::Rate, cell) => {
                let mut rate = 0.0;
                fits = add_up(
                    &mut rate,
                    sum_of(&cell) / times.seconds.max(f64::MIN_POSITIVE),
                );
                Aggregate::Rate(rate)
            }
            (Kind::Gauge, cell) => {
                fits = self.stand(cell, times.end_ms);
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
