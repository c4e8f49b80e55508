//! A sample as all protocols deliver it, borrowed from the packet it came in.

/// Kind of a metric.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Values that add up to the sum since the start.
    Counter,
    /// Values that add up to the sum per second of an interval.
    Rate,
    /// Values of which the last one holds.
    Gauge,
    /// Durations: count, sum, extremes and quantiles of an interval.
    Timer,
    /// Values in exponential buckets.
    Histogram,
    /// Values whose quantiles are known within 1 %, and which can be merged with the values of other hosts.
    Distribution,
    /// Members, of which the number of different ones is known.
    Set,
}

impl Kind {
    /// Name of the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Rate => "rate",
            Self::Gauge => "gauge",
            Self::Timer => "timer",
            Self::Histogram => "histogram",
            Self::Distribution => "distribution",
            Self::Set => "set",
        }
    }
}

/// Syntax of the bytes of tags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagSyntax {
    /// The SDK's syntax: `k=v|k2=v2`, where a space separates too.
    Sdk,
    /// DogStatsD's syntax: `k:v,k2:v2`, where a key without a value is allowed.
    Colons,
    /// Another agent's syntax ([`crate::wire::relay`]): an array of keys and values in msgpack, sorted.
    Relayed,
    /// Syntax of InfluxDB, Librato and SignalFx: `k=v,k2=v2`.
    Equals,
}

/// A series as a packet names it. Two raw series may be the same series with its tags in another order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RawSeries<'p> {
    /// Kind of the series.
    pub kind: Kind,
    /// The metric's name, not empty.
    pub metric: &'p [u8],
    /// Tags as they came, without the characters around them.
    pub tags: &'p [u8],
    /// Syntax of the tags.
    pub syntax: TagSyntax,
}

/// Measured values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Values<'p> {
    /// Finite numbers, at least one.
    Numbers(&'p [f64]),
    /// Change by which a gauge goes up or down.
    Change(f64),
    /// A member of a set.
    Member(&'p [u8]),
}

impl Values<'_> {
    /// Returns the number of measurements that were sent: each number, change and member is one.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Change(_) | Self::Member(_) => 1,
        }
    }

    /// Returns true if there is no measurement.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Samples of one series that came together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample<'p> {
    /// Series of the samples.
    pub series: RawSeries<'p>,
    /// Measured values.
    pub values: Values<'p>,
    /// Number of measurements that each value stands for: 1 / sample rate, at least 1.
    pub weight: f64,
    /// Time in seconds since 1970; `None` means now.
    pub time_s: Option<u64>,
    /// Container that sent the samples, if they name it.
    pub container: Option<&'p [u8]>,
}
