//! Series that ended: they were in one interval and are not in the next.
//!
//! Remote write's specifications want a stale marker for each ended series, so that a chart ends where the series did.
//! Counters and gauges are in every interval until they expire, so that their absence means the end. The other kinds
//! are in an interval only when they had samples, and nobody knows which interval was their last.

use crate::aggregate::{Aggregate, Point};
use crate::series::Series;
use std::sync::Arc;

/// The counters and gauges of two intervals.
#[derive(Debug, Default)]
pub struct Held {
    /// Series of the last interval, sorted.
    before: Vec<Arc<Series>>,
    /// Series of the present interval so far.
    now: Vec<Arc<Series>>,
}

impl Held {
    /// Notes points of the present interval.
    pub fn note(&mut self, points: &[Point]) {
        let is_held =
            |value: &Aggregate| matches!(value, Aggregate::Counter { .. } | Aggregate::Gauge(_));
        let held = points.iter().filter(|point| is_held(&point.value));
        self.now.extend(held.map(|point| Arc::clone(&point.series)));
    }

    /// Ends the present interval. Returns the series that were in the interval before and are not in the present one.
    pub fn ended(&mut self) -> Vec<Arc<Series>> {
        // Most series are in order already.
        self.now.sort();
        let now = std::mem::take(&mut self.now);
        let before = std::mem::replace(&mut self.before, now);
        let mut now = self.before.iter().peekable();
        let mut ended = Vec::new();
        for series in before {
            while now.next_if(|own| **own < series).is_some() {}
            if now.peek().is_none_or(|own| **own != series) {
                ended.push(series);
            }
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Kind;

    fn ended(held: &mut Held, points: &[Point]) -> Vec<Arc<Series>> {
        // The interval comes in two pieces.
        let (some, others) = points.split_at(points.len() / 2);
        held.note(some);
        held.note(others);
        held.ended()
    }

    #[test]
    fn gauges_and_counters_end_and_timers_do_not() {
        let point = |kind, metric, value| {
            let series = Arc::new(Series::new(kind, metric, &[]).unwrap());
            Point { series, value }
        };
        let points = [
            point(
                Kind::Timer,
                "t",
                Aggregate::Timer(Box::default(), Box::default()),
            ),
            point(Kind::Gauge, "g", Aggregate::Gauge(1.0)),
            point(Kind::Gauge, "stays", Aggregate::Gauge(1.0)),
        ];
        let mut held = Held::default();
        assert!(ended(&mut held, &points).is_empty());
        let gone = ended(&mut held, &points[2..]);
        assert_eq!(gone.len(), 1);
        assert_eq!(gone[0].metric(), "g");
        assert!(ended(&mut held, &points[2..]).is_empty());
    }

    #[test]
    fn those_ended_that_were_there_and_are_not_in_whatever_order() {
        const NAMES: [&str; 4] = ["b", "d", "a", "c"];
        let points = |chosen: usize| -> Vec<Point> {
            let names = NAMES.iter().enumerate();
            let names = names.filter(|(bit, _)| chosen >> bit & 1 == 1);
            let point = |(_, name): (usize, &&str)| Point {
                series: Arc::new(Series::new(Kind::Gauge, name, &[]).unwrap()),
                value: Aggregate::Gauge(1.0),
            };
            names.map(point).collect()
        };
        for (before, now) in (0..256).map(|both| (both / 16, both % 16)) {
            let mut held = Held::default();
            ended(&mut held, &points(before));
            let mut gone = ended(&mut held, &points(now));
            let mut expected = points(before & !now);
            gone.sort();
            expected.sort_by(|a, b| a.series.cmp(&b.series));
            assert!(gone.iter().eq(expected.iter().map(|point| &point.series)));
        }
    }
}
