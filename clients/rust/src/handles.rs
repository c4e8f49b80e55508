//! Series that are registered once: their samples cost the encoding of the value.

use crate::client::milliseconds;
use crate::number::{Number, Room};
use crate::series::{Refused, Series};
use crate::shared::Shared;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A series, or why it is none. Of one that is none every sample is dropped and counted: a wrong name stops no service.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    shared: Arc<Shared>,
    series: Result<Arc<Series>, Refused>,
}

impl Handle {
    pub(crate) fn new(
        shared: &Arc<Shared>,
        letter: u8,
        metric: &str,
        tags: &[(&str, &str)],
    ) -> Self {
        Self {
            shared: Arc::clone(shared),
            series: Series::new(letter, metric, tags).map(Arc::new),
        }
    }

    fn number(&self, value: f64) {
        match &self.series {
            Ok(series) => self.shared.number(series, value),
            Err(_) => self.shared.refuse(),
        }
    }

    fn text(&self, text: &[u8]) {
        match &self.series {
            Ok(series) => self.shared.text(series, text),
            Err(_) => self.shared.refuse(),
        }
    }
}

macro_rules! handle {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name(pub(crate) Handle);

        impl $name {
            /// Why the protocol cannot carry this series, if it cannot. All of its samples are then dropped as
            /// [`crate::Reason::Series`].
            pub fn refused(&self) -> Option<Refused> {
                self.0.series.as_ref().err().copied()
            }
        }
    };
}

handle!(
    /// Adds up; the sum since the start counts.
    Counter
);
handle!(
    /// Adds up; the sum per second counts.
    Rate
);
handle!(
    /// The last value holds, from whichever thread it came.
    Gauge
);
handle!(
    /// Durations in milliseconds.
    Timer
);
handle!(
    /// Values in exponential buckets.
    Histogram
);
handle!(
    /// Values whose quantiles are known within 1 %.
    Distribution
);
handle!(
    /// How many different members there were.
    Set
);

impl Counter {
    /// Adds so many.
    pub fn add(&self, count: impl Number) {
        self.0.number(count.to_f64());
    }
}

impl Rate {
    /// Adds so many.
    pub fn add(&self, count: impl Number) {
        self.0.number(count.to_f64());
    }
}

impl Gauge {
    /// This is the value from now on. The protocol has no changes of gauges.
    pub fn set(&self, value: impl Number) {
        self.0.number(value.to_f64());
    }
}

impl Timer {
    /// It took so long.
    pub fn record(&self, duration: Duration) {
        let mut room: Room = [0; 32];
        self.0.text(milliseconds(duration, &mut room));
    }

    /// It took so many milliseconds.
    pub fn record_ms(&self, milliseconds: impl Number) {
        self.0.number(milliseconds.to_f64());
    }

    /// Measures from now until what is returned is dropped.
    #[must_use = "it measures until it is dropped"]
    pub fn start(&self) -> Timing<'_> {
        Timing {
            timer: self,
            since: Instant::now(),
            counts: true,
        }
    }
}

/// A duration that is being measured, until it is dropped.
#[derive(Debug)]
pub struct Timing<'t> {
    timer: &'t Timer,
    since: Instant,
    counts: bool,
}

impl Timing<'_> {
    /// Gives no sample after all.
    pub fn discard(mut self) {
        self.counts = false;
    }
}

impl Drop for Timing<'_> {
    fn drop(&mut self) {
        if self.counts {
            self.timer.record(self.since.elapsed());
        }
    }
}

impl Histogram {
    /// Measured.
    pub fn record(&self, value: impl Number) {
        self.0.number(value.to_f64());
    }
}

impl Distribution {
    /// Measured.
    pub fn record(&self, value: impl Number) {
        self.0.number(value.to_f64());
    }
}

impl Set {
    /// Was there. Any text that is not empty.
    pub fn insert(&self, member: &str) {
        self.0.text(member.as_bytes());
    }
}
