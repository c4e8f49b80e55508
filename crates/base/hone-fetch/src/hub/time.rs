//! Times in questions to a hub.

use jiff::Timestamp;

/// Seconds of a day.
const DAY_S: u64 = 86_400;
/// Units of times before now, in seconds.
const UNITS_S: [(char, u64); 5] = [
    ('s', 1),
    ('m', 60),
    ('h', 3600),
    ('d', DAY_S),
    ('w', 7 * DAY_S),
];

/// A time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// Seconds since 1970.
    At(u64),
    /// Seconds before now.
    Before(u64),
}

/// A text is no time.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{time:?} is not a time")]
pub struct TimeError {
    /// The text.
    pub time: String,
}

impl Time {
    /// Parses a time: RFC 3339, seconds since 1970, `-1d` and the like, `now`.
    ///
    /// # Errors
    ///
    /// Returns an error for other texts, and for times before 1970.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        let parsed = match text.strip_prefix('-') {
            Some(before) => span_s(before).map(Self::Before),
            None if text == "now" => Some(Self::Before(0)),
            None if is_number(text) => text.parse().ok().map(Self::At),
            None => {
                let at: Option<Timestamp> = text.parse().ok();
                at.and_then(|at| at.as_second().try_into().ok())
                    .map(Self::At)
            }
        };
        parsed.ok_or_else(|| TimeError {
            time: text.to_owned(),
        })
    }

    /// Returns the time in seconds since 1970, for a time now in the same.
    pub fn seconds(self, now_s: u64) -> u64 {
        match self {
            Self::At(seconds) => seconds,
            Self::Before(seconds) => now_s.saturating_sub(seconds),
        }
    }
}

/// Parses `1d`, `6h`, `30m`, `90s` and `2w`, in seconds.
fn span_s(text: &str) -> Option<u64> {
    let unit = text.chars().next_back()?;
    let (_, unit_s) = UNITS_S.into_iter().find(|(name, _)| *name == unit)?;
    let count = &text[..text.len() - unit.len_utf8()];
    let count: u64 = is_number(count).then(|| count.parse().ok())??;
    count.checked_mul(unit_s)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_four_ways() {
        for (text, time) in [
            ("1700000000", Time::At(1_700_000_000)),
            ("1970-01-01T01:00:00+01:00", Time::At(0)),
            ("-90m", Time::Before(5_400)),
            ("now", Time::Before(0)),
        ] {
            assert_eq!(Time::parse(text), Ok(time), "{text}");
        }
        for text in ["", "-", "-1y", "-+1d", "2026-11-26", "1960-01-01T00:00:00Z"] {
            assert!(Time::parse(text).is_err(), "{text}");
        }
        assert_eq!(Time::Before(60).seconds(100), 40);
        assert_eq!(Time::Before(160).seconds(100), 0);
    }
}
