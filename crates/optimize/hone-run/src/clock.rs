//! The time, as results tell it.

use jiff::Timestamp;

/// Returns the time now in RFC 3339, in UTC with whole seconds.
pub fn now_utc() -> String {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second())
        .unwrap_or(now)
        .to_string()
}
