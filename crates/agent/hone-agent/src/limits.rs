//! Limits on what clients may send, in one place.
//!
//! A sample over a limit is refused and counted, without an allocation. Limits that protect the host from too many
//! series are in the configuration; the limits here only keep a single series and a single line within reason.

/// Bytes of a metric's name.
pub const METRIC_BYTES_MAX: usize = 512;
/// Bytes of the tags of one series, as received.
pub const TAGS_BYTES_MAX: usize = 4096;
/// Tags of one series. Keys that occur twice count twice.
pub const TAGS_MAX: usize = 64;
/// Lowest sample rate: one measurement in a billion. A lower rate stands for so many measurements that they could not
/// be added up.
pub const SAMPLE_RATE_MIN: f64 = 1e-9;
/// Tags of one series that another agent relays: the tags of its clients, and its labels.
pub const RELAYED_TAGS_MAX: usize = 2 * TAGS_MAX;
/// Bytes of relayed tags, with up to three before each key and each value.
pub const RELAYED_TAGS_BYTES_MAX: usize = 2 * TAGS_BYTES_MAX + 3 * (2 * RELAYED_TAGS_MAX + 1);
/// Points of one frame of another agent.
pub const RELAYED_POINTS_MAX: usize = 1 << 16;
/// Bins of all points of one frame of another agent.
pub const RELAYED_BINS_MAX: usize = 1 << 20;
/// Number of agents whose last frames are remembered, so that a repeated frame does not count again.
pub const RELAYING_AGENTS_MAX: usize = 1 << 16;
/// Points of one batch: the largest number in the header of a msgpack array-16.
pub const BATCH_POINTS_MAX: usize = u16::MAX as usize;
