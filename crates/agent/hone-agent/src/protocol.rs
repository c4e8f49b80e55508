//! Parsers of the protocols that clients speak: from the bytes of a packet to samples.
//!
//! Every parser takes one packet and hands each sample, borrowed from the packet, to a function. A sample that cannot be
//! read is counted, and the samples around it are kept.

pub mod merge;
mod msgpack;
mod number;
pub mod sdk;
pub mod statsd;

/// Counts of the contents of packets. Every point of the SDK and every value of a line is in exactly one of `values` and
/// `malformed`, every other line in one of `malformed`, `events`, `checks` and `notices`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parsed {
    /// Samples handed on. Each point of another agent's frame counts as a sample.
    pub samples: u64,
    /// Values in these samples: a sample may have several.
    pub values: u64,
    /// Points, and values of lines, that could not be read. A line without a name or a colon counts as one; so does everything
    /// after the place where a packet breaks off, and so does a frame of another agent.
    pub malformed: u64,
    /// Frames of other agents that were taken.
    pub frames: u64,
    /// Frames that came again because their answer was lost. They were answered, and their points count once.
    pub frames_repeated: u64,
    /// Frames so old that it is not known any more whether they came before. They were refused.
    pub frames_too_late: u64,
    /// Values that came with a time. They count for the interval in which they came.
    pub timed: u64,
    /// Values among `timed` whose interval was already over.
    pub late: u64,
    /// Values among `timed` whose interval had not begun.
    pub early: u64,
    /// DogStatsD's events that were dropped because they have no destination.
    pub events: u64,
    /// DogStatsD's service checks that were dropped because they have no destination.
    pub checks: u64,
    /// Events and service checks that were passed on.
    pub notices: u64,
    /// Bytes of the packet that could not be read because the packet broke off before them.
    pub unread_bytes: u64,
}

impl Parsed {
    /// Adds the counts of another packet.
    pub fn add(&mut self, other: Self) {
        self.samples += other.samples;
        self.values += other.values;
        self.malformed += other.malformed;
        self.frames += other.frames;
        self.frames_repeated += other.frames_repeated;
        self.frames_too_late += other.frames_too_late;
        self.timed += other.timed;
        self.late += other.late;
        self.early += other.early;
        self.events += other.events;
        self.checks += other.checks;
        self.notices += other.notices;
        self.unread_bytes += other.unread_bytes;
    }
}
