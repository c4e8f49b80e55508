//! From the bytes of a packet to samples: what clients speak.
//!
//! Every parser takes one packet and hands each sample to a function, borrowed from the packet. A sample that cannot
//! be read is counted, and those around it are kept.

pub mod merge;
mod msgpack;
mod number;
pub mod sdk;
pub mod statsd;

/// What came of a packet. Every point of the SDK and every value of a line is in exactly one of `values` and `malformed`,
/// every other line in one of `malformed`, `events`, `checks` and `notices`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parsed {
    /// Samples handed on; of another agent's frame, its points.
    pub samples: u64,
    /// Values in these: a sample may have several.
    pub values: u64,
    /// Points, and values of lines, that could not be read; a line without a name or a colon counts as one. Where a packet
    /// breaks off, all that follows counts as one; so does a frame of another agent.
    pub malformed: u64,
    /// Frames of other agents that were taken.
    pub frames: u64,
    /// Frames that came again since their answer got lost: they were answered, and counted once.
    pub frames_repeated: u64,
    /// Frames so old that nobody knows any more whether they came: they were refused.
    pub frames_too_late: u64,
    /// Values that said when they were taken; they count for the interval in which they came.
    pub timed: u64,
    /// Values among these of an interval that was over, and of one that had not begun.
    pub late: u64,
    /// See `late`.
    pub early: u64,
    /// DogStatsD's events that are dropped, since they go nowhere.
    pub events: u64,
    /// DogStatsD's service checks that are dropped, since they go nowhere.
    pub checks: u64,
    /// Events and service checks that were passed on.
    pub notices: u64,
    /// Bytes of the packet that nothing could be made of, because it broke off before them.
    pub unread_bytes: u64,
}

impl Parsed {
    /// Adds what came of another packet.
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
