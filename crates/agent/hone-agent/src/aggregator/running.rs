//! The current interval, for samples that come with a time.

use crate::protocol::Parsed;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Start and end of the current interval, in seconds since 1970. Until an interval has begun, every time is in it.
#[derive(Debug)]
pub(super) struct Running {
    begins_s: AtomicU64,
    ends_s: AtomicU64,
}

impl Default for Running {
    fn default() -> Self {
        Self {
            begins_s: AtomicU64::new(0),
            ends_s: AtomicU64::new(u64::MAX),
        }
    }
}

impl Running {
    /// Begins another interval.
    pub(super) fn begin(&self, begins_s: u64, ends_s: u64) {
        self.begins_s.store(begins_s, Relaxed);
        self.ends_s.store(ends_s, Relaxed);
    }

    /// Counts values that come with a time. They count for the current interval even if their time is before or after it.
    pub(super) fn count(&self, time_s: u64, values: u64, parsed: &mut Parsed) {
        parsed.timed += values;
        if time_s < self.begins_s.load(Relaxed) {
            parsed.late += values;
        } else if time_s >= self.ends_s.load(Relaxed) {
            parsed.early += values;
        }
    }
}
