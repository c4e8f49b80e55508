//! The interval that runs, for samples that say when they were taken.

use crate::protocol::Parsed;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// From when and until when, in seconds since 1970. Until it is told, every moment is in it.
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
    /// Another one runs from now on.
    pub(super) fn begin(&self, begins_s: u64, ends_s: u64) {
        self.begins_s.store(begins_s, Relaxed);
        self.ends_s.store(ends_s, Relaxed);
    }

    /// Counts values that say that they were taken then: they count for this interval wherever they belong.
    pub(super) fn count(&self, time_s: u64, values: u64, parsed: &mut Parsed) {
        parsed.timed += values;
        if time_s < self.begins_s.load(Relaxed) {
            parsed.late += values;
        } else if time_s >= self.ends_s.load(Relaxed) {
            parsed.early += values;
        }
    }
}
