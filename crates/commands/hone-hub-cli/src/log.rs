//! Messages of the hub on its standard error.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time for which further lines of a kind are left out.
const PAUSE: Duration = Duration::from_secs(10);

static SAID: Mutex<Option<HashMap<&'static str, Instant>>> = Mutex::new(None);

/// Prints a line.
pub(crate) fn say(line: impl AsRef<str>) {
    eprintln!("hone-hub: {}", line.as_ref());
}

/// Prints a line that may come again and again, unless one of its kind came a moment ago. Metrics count all.
pub(crate) fn say_often(kind: &'static str, line: impl AsRef<str>) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    let is_over = |before: &Instant| now.duration_since(*before) >= PAUSE;
    let said = said.get_or_insert_default();
    if said.get(kind).is_none_or(is_over) {
        said.insert(kind, now);
        say(line);
    }
}
