//! How many series there may be: in all, of one metric and of one origin.
//!
//! Shared by all workers, and asked only for what is new. A series that several workers get counts once for each.

use crate::sample::Kind;
use crate::series::Series;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Marks a series in which the samples of those come together that are over a cap: as OpenTelemetry's SDK does
/// ("Cardinality limits" in its metrics specification).
pub const OVERFLOW_TAG: (&str, &str) = ("otel.metric.overflow", "true");
/// The metric of such a series where the metric itself is new.
pub const OVERFLOW_METRIC: &str = "hone.overflow";

/// The caps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Series in all.
    pub series_max: usize,
    /// Series of one metric.
    pub per_metric_max: usize,
    /// Series of one origin: a process, where the socket tells.
    pub per_origin_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            series_max: 250_000,
            per_metric_max: 50_000,
            per_origin_max: 100_000,
        }
    }
}

/// Which cap a series is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Over {
    /// That on all series.
    All,
    /// That on its metric.
    Metric,
    /// That on its origin.
    Origin,
}

/// Who sends: a number for each process, 0 where nobody knows.
pub type Origin = u64;

/// Series counted against their caps.
#[derive(Debug, Default)]
pub struct Caps {
    counted: Mutex<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    limits: Limits,
    all: usize,
    metrics: HashMap<Box<str>, usize>,
    origins: HashMap<Origin, usize>,
}

impl Caps {
    /// None counted yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            counted: Mutex::new(Counted {
                limits,
                ..Counted::default()
            }),
        }
    }

    /// Other limits from now on. Series that are there stay, also where they are more.
    pub fn change(&self, limits: Limits) {
        self.counted().limits = limits;
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.counted().limits
    }

    /// The metrics with the most series, and how many these are: so many of them, the largest first.
    pub fn largest_metrics(&self, most: usize) -> Vec<(String, usize)> {
        let counted = self.counted();
        let mut metrics: Vec<_> = counted.metrics.iter().collect();
        metrics.sort_unstable_by(|(a, more), (b, less)| less.cmp(more).then(a.cmp(b)));
        let largest = metrics.into_iter().take(most);
        largest
            .map(|(metric, count)| (metric.to_string(), *count))
            .collect()
    }

    /// Series that count for an origin: for 0 those of all whom nobody knows.
    pub fn series_of(&self, origin: Origin) -> usize {
        let counted = self.counted();
        match origin {
            0 => counted.all.saturating_sub(counted.origins.values().sum()),
            _ => counted.origins.get(&origin).copied().unwrap_or(0),
        }
    }

    /// Counts a series, unless it is over a cap.
    pub(super) fn admit(&self, metric: &str, origin: Origin) -> Result<(), Over> {
        let mut counted = self.counted();
        let of_metric = counted.metrics.get(metric).copied().unwrap_or(0);
        let of_origin = counted.origins.get(&origin).copied().unwrap_or(0);
        if counted.all >= counted.limits.series_max {
            return Err(Over::All);
        }
        if of_metric >= counted.limits.per_metric_max {
            return Err(Over::Metric);
        }
        if origin != 0 && of_origin >= counted.limits.per_origin_max {
            return Err(Over::Origin);
        }
        counted.all += 1;
        match counted.metrics.get_mut(metric) {
            Some(count) => *count += 1,
            None => {
                counted.metrics.insert(metric.into(), 1);
            }
        }
        if origin != 0 {
            *counted.origins.entry(origin).or_default() += 1;
        }
        Ok(())
    }

    /// Gives back what [`Self::admit`] counted.
    pub(super) fn release(&self, metric: &str, origin: Origin) {
        let mut counted = self.counted();
        counted.all = counted.all.saturating_sub(1);
        let Counted {
            metrics, origins, ..
        } = &mut *counted;
        if let Some(count) = metrics.get_mut(metric) {
            *count -= 1;
            if *count == 0 {
                metrics.remove(metric);
            }
        }
        if let Some(count) = origins.get_mut(&origin) {
            *count -= 1;
            if *count == 0 {
                origins.remove(&origin);
            }
        }
    }

    /// The series that takes the samples of one that is over a cap. There are at most as many as metrics of each kind,
    /// and one for each kind; none of them counts.
    pub(super) fn overflow(&self, kind: Kind, metric: &str) -> Option<Series> {
        let is_known = self.counted().metrics.contains_key(metric);
        let metric = if is_known { metric } else { OVERFLOW_METRIC };
        Series::new(kind, metric, &[OVERFLOW_TAG])
    }

    /// Series counted.
    pub fn series(&self) -> usize {
        self.counted().all
    }

    /// A worker that panicked left counts that are right or one too high.
    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cap_holds_and_what_is_released_can_be_had_again() {
        let caps = Caps::new(Limits {
            series_max: 5,
            per_metric_max: 2,
            per_origin_max: 3,
        });
        assert_eq!(caps.admit("a", 7), Ok(()));
        assert_eq!(caps.admit("a", 7), Ok(()));
        assert_eq!(caps.admit("a", 8), Err(Over::Metric));
        assert_eq!(caps.admit("b", 7), Ok(()));
        assert_eq!(caps.admit("c", 7), Err(Over::Origin));
        assert_eq!(caps.admit("c", 0), Ok(()));
        assert_eq!(caps.admit("c", 0), Ok(()));
        assert_eq!(caps.admit("d", 9), Err(Over::All));
        caps.release("a", 7);
        assert_eq!(caps.admit("a", 8), Ok(()));
        assert_eq!(caps.series(), 5);
        assert_eq!(
            [7, 8, 9, 0].map(|origin| caps.series_of(origin)),
            [2, 1, 0, 2]
        );
        let largest = [("a".to_owned(), 2), ("c".to_owned(), 2)];
        assert_eq!(caps.largest_metrics(2), largest);
        let overflow = caps.overflow(Kind::Gauge, "a").unwrap();
        assert_eq!((overflow.metric(), overflow.tags().count()), ("a", 1));
        assert_eq!(
            caps.overflow(Kind::Gauge, "new").unwrap().metric(),
            OVERFLOW_METRIC
        );
    }
}
