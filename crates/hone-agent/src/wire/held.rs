//! Which series ended: what was held in one interval and is not in the next.
//!
//! Remote write's specifications want a stale marker for each, so that a chart ends where the series did. Counters and
//! gauges stay in every interval until they expire, so that their absence says it; the other kinds are there only
//! when they had samples, and nobody knows which time was the last.

use crate::aggregate::{Aggregate, Point};
use crate::series::Series;
use std::sync::Arc;

/// The counters and gauges of two intervals.
#[derive(Debug, Default)]
pub struct Held {
    /// Of the last one, in order.
    before: Vec<Arc<Series>>,
    /// Of this one, as far as it has come.
    now: Vec<Arc<Series>>,
}

impl Held {
    /// Notes points of this interval.
    pub fn note(&mut self, points: &[Point]) {
        let is_held =
            |value: &Aggregate| matches!(value, Aggregate::Counter { .. } | Aggregate::Gauge(_));
        let held = points.iter().filter(|point| is_held(&point.value));
        self.now.extend(held.map(|point| Arc::clone(&point.series)));
    }

    /// Ends this interval. Gives those of the one before that are not in it.
    pub fn ended(&mut self) -> Vec<Arc<Series>> {
        // Most are in order already.
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
        // In two pieces.
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
