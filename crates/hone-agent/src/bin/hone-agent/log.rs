//! All that the agent says, on its standard error.
//!
//! What goes wrong often goes wrong often: of each kind of line there are at most [`LINES_MAX`] in a minute, and then
//! one that says how many more there were. Lines that are said once (at the start, at the end) have no limit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Lines of one kind in a minute.
const LINES_MAX: u64 = 10;
const MINUTE: Duration = Duration::from_secs(60);

static LIMITS: Mutex<Option<Limits>> = Mutex::new(None);

/// Says something that is said once.
pub(crate) fn say(line: impl AsRef<str>) {
    eprintln!("hone-agent: {}", line.as_ref());
}

/// Says something that may come again and again, unless there was enough of its kind.
pub(crate) fn say_often(kind: &'static str, line: impl AsRef<str>) {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    let limits = limits.get_or_insert_default();
    let now = Instant::now();
    limits.over(now).iter().for_each(say);
    if limits.may(kind, now) {
        say(line);
    }
}

/// To be called from time to time: says how many lines were left out of minutes that are over.
pub(crate) fn tick() {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    let over = limits.get_or_insert_default().over(Instant::now());
    over.iter().for_each(say);
}

/// The minute of each kind that has lines.
#[derive(Default)]
struct Limits {
    minutes: HashMap<&'static str, (Instant, u64)>,
}

impl Limits {
    /// Counts a line, and says whether it may be said.
    fn may(&mut self, kind: &'static str, now: Instant) -> bool {
        let (_, lines) = self.minutes.entry(kind).or_insert((now, 0));
        *lines += 1;
        *lines <= LINES_MAX
    }

    /// Forgets minutes that are over, and gives a line for each that had more than enough.
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
