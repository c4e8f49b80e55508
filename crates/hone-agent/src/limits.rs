//! Limits on what clients may send, in one place.
//!
//! A sample over a limit is refused and counted, never an allocation. What protects the host from too many series
//! stands in the configuration; these only keep a single series and a single line within reason.

/// Bytes of a metric's name.
pub const METRIC_BYTES_MAX: usize = 512;
/// Bytes of the tags of one series, as they come.
pub const TAGS_BYTES_MAX: usize = 4096;
/// Tags of one series. Keys that occur twice count twice.
pub const TAGS_MAX: usize = 64;
/// Lowest sample rate: one measurement in a billion. What a lower one stands for could not be added up.
pub const SAMPLE_RATE_MIN: f64 = 1e-9;
/// Tags of one series that another agent relays: those of its clients, and its labels.
pub const RELAYED_TAGS_MAX: usize = 2 * TAGS_MAX;
/// Bytes of these, with up to three before each key and each value.
pub const RELAYED_TAGS_BYTES_MAX: usize = 2 * TAGS_BYTES_MAX + 3 * (2 * RELAYED_TAGS_MAX + 1);
/// Points of one frame of another agent.
pub const RELAYED_POINTS_MAX: usize = 1 << 16;
/// Bins of all points of one frame of another agent.
pub const RELAYED_BINS_MAX: usize = 1 << 20;
/// Agents whose last frames are known, so that one that comes again does not count again.
pub const RELAYING_AGENTS_MAX: usize = 1 << 16;
/// Points of one batch: what the header of a msgpack array-16 can say.
pub const BATCH_POINTS_MAX: usize = u16::MAX as usize;
