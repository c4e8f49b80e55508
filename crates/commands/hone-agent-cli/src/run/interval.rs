//! Ends of intervals, by two clocks that do not always agree.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The present interval. It ends at a multiple of its length since 1970, by a clock that may be set at any time. Its
/// duration is measured by a clock that nobody sets.
pub(super) struct Interval {
    length_ms: i64,
    end_ms: i64,
    began: Instant,
}

impl Interval {
    pub(super) fn begin(interval_s: u32, now_ms: i64, now: Instant) -> Self {
        let length_ms = i64::from(interval_s) * 1000;
        Self {
            length_ms,
            end_ms: (now_ms.div_euclid(length_ms) + 1) * length_ms,
            began: now,
        }
    }

    /// Returns the planned start and end of the interval, in seconds since 1970.
    pub(super) fn bounds_s(&self) -> (u64, u64) {
        let second = |ms: i64| u64::try_from(ms / 1000).unwrap_or(0);
        (second(self.end_ms - self.length_ms), second(self.end_ms))
    }

    /// Sets another length for the present interval and all later ones.
    pub(super) fn change(&mut self, interval_s: u32, now_ms: i64) {
        let began = self.began;
        *self = Self {
            began,
            ..Self::begin(interval_s, now_ms, began)
        };
    }

    /// Returns the time until the end of the interval; zero if the interval is over. A clock that was set back by up to
    /// the length of an interval makes the interval longer. A clock that was set back further ends the interval, since
    /// its end may be hours away.
    pub(super) fn left(&self, now_ms: i64) -> Duration {
        let left_ms = self.end_ms.saturating_sub(now_ms);
        let is_set_back = left_ms > 2 * self.length_ms;
        let left_ms = if is_set_back { 0 } else { left_ms };
        Duration::from_millis(u64::try_from(left_ms).unwrap_or(0))
    }

    /// Begins the next interval. Returns the end of the present one, which is the last multiple of the length, and its
    /// duration.
    pub(super) fn next(&mut self, now_ms: i64, now: Instant) -> (i64, u32) {
        let took_ms = self.took_ms(now);
        self.end_ms = (now_ms.div_euclid(self.length_ms) + 1) * self.length_ms;
        self.began = now;
        (self.end_ms - self.length_ms, took_ms)
    }

    /// Returns the duration of the interval. A duration within 2 % of the length is reported as the length, so that 30
    /// in ten seconds are 3 in one.
    pub(super) fn took_ms(&self, now: Instant) -> u32 {
        let took_ms = now.saturating_duration_since(self.began).as_millis();
        let took_ms = i64::try_from(took_ms).unwrap_or(i64::MAX);
        let is_usual = (took_ms - self.length_ms).abs() <= self.length_ms / 50;
        let took_ms = if is_usual { self.length_ms } else { took_ms };
        u32::try_from(took_ms).unwrap_or(u32::MAX).max(1)
    }
}

pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_end_at_multiples_of_their_length() {
        let now = Instant::now();
        let end_ms = |now_ms, interval_s| Interval::begin(interval_s, now_ms, now).end_ms;
        assert_eq!(end_ms(0, 10), 10_000);
        assert_eq!(end_ms(9_999, 10), 10_000);
        assert_eq!(end_ms(10_000, 10), 20_000);
        assert_eq!(end_ms(1_700_000_012_345, 60), 1_700_000_040_000);
        let bounds_s = Interval::begin(60, 1_700_000_012_345, now).bounds_s();
        assert_eq!(bounds_s, (1_699_999_980, 1_700_000_040));
    }

    /// Returns the intervals of ten seconds that end at the given moments: by the wall clock, and since the start.
    fn intervals(moments: &[(i64, u64)]) -> Vec<(i64, u32)> {
        let start = Instant::now();
        let mut interval = Interval::begin(10, 103_000, start);
        let ends = moments.iter().map(|&(now_ms, since_ms)| {
            assert_eq!(interval.left(now_ms), Duration::ZERO);
            interval.next(now_ms, start + Duration::from_millis(since_ms))
        });
        ends.collect()
    }

    #[test]
    fn an_interval_that_is_noticed_late_leaves_the_next_one_its_length() {
        let moments = [(110_003, 7_003), (122_000, 19_000), (130_000, 27_000)];
        let expected = [(110_000, 7_003), (120_000, 11_997), (130_000, 8_000)];
        assert_eq!(intervals(&moments), expected);
        let moments = [(110_000, 7_000), (120_004, 17_004), (130_001, 27_001)];
        let expected = [(110_000, 7_000), (120_000, 10_000), (130_000, 10_000)];
        assert_eq!(intervals(&moments), expected);
    }

    #[test]
    fn a_clock_that_is_set_neither_stops_intervals_nor_changes_how_long_they_took() {
        // An hour forward, and back again.
        let moments = [(3_704_000, 4_000), (3_710_000, 10_000), (116_000, 16_000)];
        let expected = [(3_700_000, 4_000), (3_710_000, 6_000), (110_000, 6_000)];
        assert_eq!(intervals(&moments), expected);
        // Set back by less than an interval: the interval goes on.
        let interval = Interval::begin(10, 103_000, Instant::now());
        assert_eq!(interval.left(98_000), Duration::from_secs(12));
    }

    #[test]
    fn an_interval_whose_length_changes_took_as_long_as_it_took() {
        let start = Instant::now();
        let mut interval = Interval::begin(10, 103_000, start);
        interval.change(60, 104_000);
        assert_eq!(interval.left(104_000), Duration::from_secs(16));
        let now = start + Duration::from_secs(17);
        assert_eq!(interval.next(120_000, now), (120_000, 17_000));
        assert_eq!(interval.left(120_000), Duration::from_secs(60));
    }
}
