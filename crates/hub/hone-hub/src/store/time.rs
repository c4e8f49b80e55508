//! Times of the store: seconds since 1970, the microseconds of Parquet, and names of days. All of it is UTC.

use jiff::{Timestamp, tz::TimeZone};

/// Seconds of an hour.
pub(crate) const HOUR_S: u64 = 3600;
/// Seconds of a day.
pub(crate) const DAY_S: u64 = 86_400;

/// Times in the units of tables.
pub(crate) struct Time;

impl Time {
    /// Returns microseconds.
    pub(crate) fn micros(seconds: u64) -> i64 {
        i64::try_from(seconds).map_or(i64::MAX, |seconds| seconds.saturating_mul(1_000_000))
    }

    /// Returns the begin of the step in which a time is, for steps of so many seconds.
    pub(crate) fn begin_of_step(micros: i64, step_s: u64) -> i64 {
        micros - micros.rem_euclid(Self::micros(step_s))
    }

    /// Returns seconds.
    pub(crate) fn seconds(micros: i64) -> u64 {
        (micros / 1_000_000).try_into().unwrap_or(0)
    }

    /// Returns a time as the Delta log writes it, such as `2026-01-31T10:00:00.000Z`.
    pub(crate) fn text(micros: i64) -> String {
        let time = Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MAX);
        time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
    }
}

/// Returns the day of a time, such as `2026-01-31`.
pub(crate) fn day_of(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    time.to_zoned(TimeZone::UTC).date().to_string()
}

/// Returns the first second of a day; `None` if the text names none.
pub(crate) fn start_of(day: &str) -> Option<u64> {
    let date: jiff::civil::Date = day.parse().ok()?;
    let start = date.to_zoned(TimeZone::UTC).ok()?.timestamp();
    start.as_second().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_their_seconds_belong_together() {
        assert_eq!(day_of(0), "1970-01-01");
        assert_eq!(day_of(951_868_799), "2000-02-29");
        assert_eq!(day_of(super::super::limits::TIME_S_MAX), "9998-12-31");
        assert_eq!(start_of("2000-02-29"), Some(951_782_400));
        assert_eq!(start_of("2000-02-30"), None);
        assert_eq!(Time::text(1_500_000), "1970-01-01T00:00:01.500Z");
    }
}
