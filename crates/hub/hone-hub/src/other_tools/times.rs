//! Times as other tools write them.

/// First second that is believed to be of a recording, the first of 2015: clocks that were never set are before it.
const BELIEVED_S: i64 = 1_420_070_400;

/// Returns a time in seconds since 1970; `None` if no recording is of that time.
pub(super) fn believed_s(time_s: i64) -> Option<u64> {
    (time_s >= BELIEVED_S).then_some(time_s.unsigned_abs())
}

/// Reads a time since 1970 in seconds, milliseconds, microseconds or nanoseconds, which its size tells.
pub(super) fn parse_s(text: &str) -> Option<u64> {
    // Agents in some languages write fractions of seconds.
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    let number: i64 = whole.parse().ok()?;
    let units = [
        (100_000_000_000, 1),
        (100_000_000_000_000, 1_000),
        (100_000_000_000_000_000, 1_000_000),
    ];
    let unit = units.into_iter().find(|(limit, _)| number < *limit);
    let in_seconds = number / unit.map_or(1_000_000_000, |(_, unit)| unit);
    believed_s(in_seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_unit() {
        for text in [
            "1764151200",
            "1764151200.75",
            "1764151200123",
            "1764151200123456",
            "1764151200123456789",
        ] {
            assert_eq!(parse_s(text), Some(1_764_151_200), "{text}");
        }
        for text in ["", "now-1h", "0", "-5", "12", "99999999999999999999"] {
            assert_eq!(parse_s(text), None, "{text}");
        }
    }
}
