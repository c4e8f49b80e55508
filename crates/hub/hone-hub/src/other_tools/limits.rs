//! Limits on what other tools send, beside those on batches: what is beyond is refused whole, or left out and counted.

/// Bytes of an unpacked request, and of an unpacked profile in it. The tables in memory take up to some ten times as much.
pub const UNPACKED_BYTES_MAX: usize = 32 << 20;
/// Profiles in one request.
pub const PROFILES_MAX: usize = 1000;
/// Samples, locations, functions, texts and mappings of one profile, each.
pub const ENTRIES_MAX: usize = 1 << 20;
/// Levels of all stacks of a request, inlined functions among them.
pub const LEVELS_MAX: usize = 4 << 20;
/// Levels of one stack; its outermost ones are left out beyond, and the stack says so.
pub const DEPTH_MAX: usize = hone_batch::DEPTH_MAX - 1;
/// Different sets of labels in a request; further samples count without labels of their own.
pub const GROUPS_MAX: usize = 1000;
/// Bytes of a label's key and of its value; longer labels are left out.
pub const LABEL_BYTES_MAX: usize = 1024;
/// Parts of a multipart body.
pub const PARTS_MAX: usize = 16;
/// Parameters of a request.
pub const PARAMETERS_MAX: usize = 256;
/// Parts of its time, of whole minutes, among which the samples of one profile are spread.
pub const TIME_PARTS_MAX: u64 = 24 * 60;
/// Seconds of a recording: what is longer ends so long after its begin.
pub const RECORDED_S_MAX: u64 = 7 * 86_400;
/// Times that a sample may have been seen.
pub const TIMES_MAX: u64 = 1 << 32;
/// Nanoseconds of a sample: 52 days.
pub const WEIGHT_NS_MAX: u64 = 1 << 52;
/// Samples of a second that a sender may claim.
pub const RATE_HZ_MAX: u64 = 1_000_000;
