//! Which series ended: what was held in one interval and is not in the next.
//!
//! Remote write's specifications want a stale marker for each, so that a chart ends where the series did. Counters and
//! gauges stay in every interval until they expire, so that their absence says it; the other kinds are there only
//! when they had samples, and nobody knows which time was the last.

use crate::aggregate::{Aggregate, Interval};
use crate::series::Series;
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use std::sync::Arc;

/// The counters and gauges of the last interval.
#[derive(Debug, Default)]
pub struct Held {
    series: HashSet<Arc<Series>, FixedState>,
}

impl Held {
    /// Those of the interval before that are not in this one, which takes its place.
    pub fn ended(&mut self, interval: &Interval) -> Vec<Arc<Series>> {
        let is_held =
            |value: &Aggregate| matches!(value, Aggregate::Counter { .. } | Aggregate::Gauge(_));
        let points = interval.points.iter();
        let held = points.filter(|point| is_held(&point.value));
        let now: HashSet<_, FixedState> = held.map(|point| Arc::clone(&point.series)).collect();
        let before = std::mem::replace(&mut self.series, now);
        let ended = before
            .into_iter()
            .filter(|series| !self.series.contains(series));
        ended.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::Point;
    use crate::sample::Kind;

    #[test]
    fn gauges_and_counters_end_and_timers_do_not() {
        let point = |kind, metric, value| {
            let series = Arc::new(Series::new(kind, metric, &[]).unwrap());
            Point { series, value }
        };
        let mut interval = Interval {
            points: vec![
                point(
                    Kind::Timer,
                    "t",
                    Aggregate::Timer(Box::default(), Box::default()),
                ),
                point(Kind::Gauge, "g", Aggregate::Gauge(1.0)),
                point(Kind::Gauge, "stays", Aggregate::Gauge(1.0)),
            ],
            ..Interval::default()
        };
        let mut held = Held::default();
        assert!(held.ended(&interval).is_empty());
        interval.points.drain(..2);
        let ended = held.ended(&interval);
        assert_eq!(ended.len(), 1);
        assert_eq!(ended[0].metric(), "g");
        assert!(held.ended(&interval).is_empty());
    }
}
