//! Messages of the agent on its standard error.
//!
//! Errors often repeat. Each kind of line is limited to [`LINES_MAX`] in a minute, and a further line then gives the
//! number of lines left out. Lines that are printed only once (at the start, at the end) have no limit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Limit on lines of one kind in a minute.
const LINES_MAX: u64 = 10;
const MINUTE: Duration = Duration::from_secs(60);

static LIMITS: Mutex<Option<Limits>> = Mutex::new(None);

/// Prints a line that comes only once.
pub(crate) fn say(line: impl AsRef<str>) {
    eprintln!("hone-agent: {}", line.as_ref());
}

/// Prints a line that may come again and again, unless the limit of its kind is reached.
pub(crate) fn say_often(kind: &'static str, line: impl AsRef<str>) {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    let limits = limits.get_or_insert_default();
    let now = Instant::now();
    limits.over(now).iter().for_each(say);
    if limits.may(kind, now) {
        say(line);
    }
}

/// Prints how many lines were left out in minutes that are over. To be called from time to time.
pub(crate) fn tick() {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    let over = limits.get_or_insert_default().over(Instant::now());
    over.iter().for_each(say);
}

/// Start of the current minute and number of lines in it, for each kind of line.
#[derive(Default)]
struct Limits {
    minutes: HashMap<&'static str, (Instant, u64)>,
}

impl Limits {
    /// Counts a line, and returns true if it may be printed.
    fn may(&mut self, kind: &'static str, now: Instant) -> bool {
        let (_, lines) = self.minutes.entry(kind).or_insert((now, 0));
        *lines += 1;
        *lines <= LINES_MAX
    }

    /// Forgets minutes that are over, and returns a line for each minute in which lines were left out.
    fn over(&mut self, now: Instant) -> Vec<String> {
        let mut left_out = Vec::new();
        self.minutes.retain(|kind, (began, lines)| {
            let is_over = now.saturating_duration_since(*began) >= MINUTE;
            if is_over && *lines > LINES_MAX {
                left_out.push(format!("{kind}: and {} more", *lines - LINES_MAX));
            }
            !is_over
        });
        left_out.sort();
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_kind_there_are_so_many_lines_in_a_minute_and_the_rest_is_counted() {
        let mut limits = Limits::default();
        let start = Instant::now();
        let said = (0..15).filter(|_| limits.may("sending", start)).count();
        assert_eq!(said as u64, LINES_MAX);
        assert!(limits.may("late", start));
        assert_eq!(limits.over(start + MINUTE / 2), Vec::<String>::new());
        assert!(!limits.may("sending", start + MINUTE / 2));
        assert_eq!(limits.over(start + MINUTE), ["sending: and 6 more"]);
        assert_eq!(limits.over(start + MINUTE), Vec::<String>::new());
        assert!(limits.may("sending", start + MINUTE));
    }
}
