//! Waiting for what happens beside a test.

use std::thread;
use std::time::{Duration, Instant};

/// Time after which a test gives up: long enough for a machine that is very busy. It is against hanging alone, and judges nothing.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until something is there, and returns it.
///
/// # Panics
///
/// After [`PATIENCE`], with `what` was waited for.
#[track_caller]
pub fn until<T>(what: &str, mut is_there: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = is_there() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(PAUSE);
    }
}

/// Waits until something is true.
///
/// # Panics
///
/// After [`PATIENCE`], with `what` was waited for.
#[track_caller]
pub fn until_true(what: &str, mut is_true: impl FnMut() -> bool) {
    until(what, || is_true().then_some(()));
}

/// True if experiments of minutes are wanted, as `make bench` does: what is no test, but judged and printed like one.
pub fn is_long() -> bool {
    std::env::var_os("HONE_LONG").is_some_and(|value| value != "0")
}
