//! Which series ended: what was held in one interval and is not in the next.
//!
//! Remote write's specifications want a stale marker for each, so that a chart ends where the series did. Counters and
//! gauges stay in every interval until they expire, so that their absence says it; the other kinds are there only
//! when they had samples, and nobody knows which time was the last.

use crate::aggregate::{Aggregate, Interval};
use crate::series::Series;
use std::sync::Arc;

/// The counters and gauges of the last interval, in order.
#[derive(Debug, Default)]
pub struct Held {
    series: Vec<Arc<Series>>,
}

impl Held {
    /// Those of the interval before that are not in this one, which takes its place.
    pub fn ended(&mut self, interval: &Interval) -> Vec<Arc<Series>> {
        let is_held =
            |value: &Aggregate| matches!(value, Aggregate::Counter { .. } | Aggregate::Gauge(_));
        let points = interval.points.iter();
        let held = points.filter(|point| is_held(&point.value));
        let mut now: Vec<_> = held.map(|point| Arc::clone(&point.series)).collect();
        // Most are in order already.
        now.sort();
        let before = std::mem::replace(&mut self.series, now);
        let mut now = self.series.iter().peekable();
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

    #[test]
    fn those_ended_that_were_there_and_are_not_in_whatever_order() {
        const NAMES: [&str; 4] = ["b", "d", "a", "c"];
        let interval = |chosen: usize| {
            let names = NAMES.iter().enumerate();
            let names = names.filter(|(bit, _)| chosen >> bit & 1 == 1);
            let point = |(_, name): (usize, &&str)| Point {
                series: Arc::new(Series::new(Kind::Gauge, name, &[]).unwrap()),
                value: Aggregate::Gauge(1.0),
            };
            Interval {
                points: names.map(point).collect(),
                ..Interval::default()
            }
        };
        for (before, now) in (0..256).map(|both| (both / 16, both % 16)) {
            let mut held = Held::default();
            held.ended(&interval(before));
            let mut ended = held.ended(&interval(now));
            let mut expected = interval(before & !now).points;
            ended.sort();
            expected.sort_by(|a, b| a.series.cmp(&b.series));
            assert!(ended.iter().eq(expected.iter().map(|point| &point.series)));
        }
    }
}
