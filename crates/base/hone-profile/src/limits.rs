//! Limits on what an input file may claim, in one place.
//!
//! A claim over a limit is an error or a counted loss, never an allocation.

/// Longest record of a perf.data file: the header's size field has 16 bits.
pub const RECORD_BYTES_MAX: usize = u16::MAX as usize;
/// Events (attributes) in one file.
pub const EVENTS_MAX: usize = 1024;
/// Ids of counters in one file: events times CPUs, as a rule. Samples with ids beyond the limit are malformed.
pub const EVENT_IDS_MAX: usize = 1 << 20;
/// Entries in one branch stack. Hardware has at most 64; software walks are cut well below this.
pub const BRANCH_STACK_MAX: usize = 4096;
/// Count of one sample in an aggregated text or a pprof file. Real counts are far below, and no sum can overflow.
pub const SAMPLE_TIMES_MAX: u64 = 1 << 32;
/// Frames in one call chain.
pub const CALL_CHAIN_MAX: usize = 4096;
/// Length of a path, a command name or another string, in bytes.
pub const STRING_BYTES_MAX: usize = 64 * 1024;
/// Processes in one file with a report of their memory use.
pub const MEMORY_USES_MAX: usize = 1000;
/// Threads in one file with their CPU time.
pub const THREAD_TIMES_MAX: usize = 1000;
/// Instructions in one file with the operands that walks met.
pub const OPERANDS_MAX: usize = 4096;
/// Bytes that one byte of a zstd stream may become. Consecutive records differ in a few bytes and reach
/// about 50; a hostile stream can reach more than 10,000.
pub const DECOMPRESSION_RATIO_MAX: usize = 1000;
/// Labels of one sample in a pprof file; more are counted as lost.
pub const LABELS_MAX: usize = 64;
/// Bytes of a key or a value of a label; longer labels are counted as lost.
pub const LABEL_BYTES_MAX: usize = 4096;
/// Bytes of an unpacked pprof file. pprof files are made for people: tens of megabytes are large.
pub const PPROF_BYTES_MAX: usize = 256 << 20;
/// Bytes that are read of a perf map or a jitdump. A runtime adds to its file for as long as it lives; the oldest functions come first.
pub const PERF_MAP_BYTES_MAX: u64 = 256 << 20;
/// Processes in one file with names of code without a file.
pub const CODE_MAPS_MAX: usize = 1000;
/// Names of code without a file, of one process and in one file.
pub const CODE_NAMES_MAX: usize = 1 << 20;
/// Bytes of the name of code without a file; the rest is cut off.
pub const CODE_NAME_BYTES_MAX: usize = 1024;
