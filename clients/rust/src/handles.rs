//! Series that are registered once, so that a sample costs only the encoding of its value.

use crate::client::milliseconds;
use crate::number::{Number, Room};
use crate::series::{Refused, Series};
use crate::shared::Shared;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A series, or the reason why it is refused. Every sample of a refused series is dropped and counted: a wrong name stops no service.
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
            /// Returns the reason why the protocol cannot carry this series, if it cannot. All of its samples are then dropped as
            /// [`crate::Reason::Series`].
            pub fn refused(&self) -> Option<Refused> {
                self.0.series.as_ref().err().copied()
            }
        }
    };
}

handle!(
    /// Counter: samples are added up, and the sum since the start is reported.
    Counter
);
handle!(
    /// Rate: samples are added up, and the sum per second is reported.
    Rate
);
handle!(
    /// Gauge: the last value is reported, from whichever thread it came.
    Gauge
);
handle!(
    /// Timer: durations in milliseconds.
    Timer
);
handle!(
    /// Histogram: values in exponential buckets.
    Histogram
);
handle!(
    /// Distribution: values whose quantiles are known within 1 %.
    Distribution
);
handle!(
    /// Set: the number of different members.
    Set
);

impl Counter {
    /// Adds a number to the counter.
    pub fn add(&self, count: impl Number) {
        self.0.number(count.to_f64());
    }
}

impl Rate {
    /// Adds a number to the rate.
    pub fn add(&self, count: impl Number) {
        self.0.number(count.to_f64());
    }
}

impl Gauge {
    /// Sets the value. The protocol has no relative changes of gauges.
    pub fn set(&self, value: impl Number) {
        self.0.number(value.to_f64());
    }
}

impl Timer {
    /// Records a duration.
    pub fn record(&self, duration: Duration) {
        let mut room: Room = [0; 32];
        self.0.text(milliseconds(duration, &mut room));
    }

    /// Records a duration in milliseconds.
    pub fn record_ms(&self, milliseconds: impl Number) {
        self.0.number(milliseconds.to_f64());
    }

    /// Measures from now until the returned value is dropped.
    #[must_use = "it measures until it is dropped"]
    pub fn start(&self) -> Timing<'_> {
        Timing {
            timer: self,
            since: Instant::now(),
            counts: true,
        }
    }
}

/// A running measurement of a duration, which ends when the value is dropped.
#[derive(Debug)]
pub struct Timing<'t> {
    timer: &'t Timer,
    since: Instant,
    counts: bool,
}

impl Timing<'_> {
    /// Ends the measurement without a sample.
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
    /// Records a value.
    pub fn record(&self, value: impl Number) {
        self.0.number(value.to_f64());
    }
}

impl Distribution {
    /// Records a value.
    pub fn record(&self, value: impl Number) {
        self.0.number(value.to_f64());
    }
}

impl Set {
    /// Adds a member: any text that is not empty.
    pub fn insert(&self, member: &str) {
        self.0.text(member.as_bytes());
    }
}
