//! One sample as all protocols deliver it: borrowed from the packet it came in.

/// What the values of a metric are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Adds up; what counts is the sum since the start.
    Counter,
    /// Adds up; what counts is the sum per second of an interval.
    Rate,
    /// The last value holds.
    Gauge,
    /// Durations: count, sum, extremes and quantiles of an interval.
    Timer,
    /// Values in exponential buckets.
    Histogram,
    /// Values whose quantiles are known within 1 %, and can be merged with those of other hosts.
    Distribution,
    /// How many different values there were.
    Set,
}

impl Kind {
    /// Its name.
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

/// How the bytes of tags are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagSyntax {
    /// `k=v|k2=v2`, where a space separates too: the SDK's.
    Sdk,
    /// `k:v,k2:v2`, a key without a value is allowed: DogStatsD's.
    Colons,
    /// An array of keys and values in msgpack, sorted: another agent's ([`crate::wire::relay`]).
    Relayed,
    /// `k=v,k2=v2`: that of InfluxDB, Librato and SignalFx.
    Equals,
}

/// A series as a packet names it. Two such may be the same series with its tags in another order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RawSeries<'p> {
    /// What its values are.
    pub kind: Kind,
    /// The metric's name, not empty.
    pub metric: &'p [u8],
    /// The tags as they came, without what surrounds them.
    pub tags: &'p [u8],
    /// How to read these.
    pub syntax: TagSyntax,
}

/// What was measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Values<'p> {
    /// Numbers, finite, at least one.
    Numbers(&'p [f64]),
    /// A gauge goes up or down by this.
    Change(f64),
    /// A member of a set.
    Member(&'p [u8]),
}

impl Values<'_> {
    /// How many measurements were sent: each number, change and member is one.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Change(_) | Self::Member(_) => 1,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Samples of one series that came together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample<'p> {
    /// Whose.
    pub series: RawSeries<'p>,
    /// What was measured.
    pub values: Values<'p>,
    /// How many measurements each value stands for: 1 / sample rate, at least 1.
    pub weight: f64,
    /// When, in seconds since 1970; now, where it does not say.
    pub time_s: Option<u64>,
    /// The container that sent it, where it says so.
    pub container: Option<&'p [u8]>,
}
