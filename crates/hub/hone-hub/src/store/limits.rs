//! Limits of the store, on from the start.

/// Bytes of the largest encoded batch.
pub const BATCH_BYTES_MAX: usize = 64 << 20;

/// Bytes of the longest name of a tenant.
pub const TENANT_BYTES_MAX: usize = 64;

/// Last second that a day can be named for: the end of the year 9998.
pub const TIME_S_MAX: u64 = 253_370_764_799;

/// Seconds that one compaction may take from reading the journal to its commit. One that was asleep for longer starts anew.
pub const COMPACT_S_MAX: u64 = 600;

/// Entries of the journal between two of its checkpoints.
pub const CHECKPOINT_ENTRIES: u64 = 32;

/// Seconds for which entries of the journal are kept after a checkpoint made them needless: long after every
/// compaction that might still try to commit beside them.
pub const JOURNAL_KEPT_S: u64 = 7 * 86_400;

/// Seconds by which the clock of a host may be ahead.
pub const BATCH_AHEAD_S_MAX: u64 = 86_400;

/// Times that a question is begun anew since compaction took segments from under it.
pub const READ_ATTEMPTS_MAX: u32 = 5;

/// Number of a batch that was made of another tool's request: its run is a hash of the request, and its host is empty. No host
/// counts so far.
pub const REQUEST_NUMBER: u64 = u64::MAX;

/// Seconds for which a request of another tool is known after it was compacted. Each is a run of its own, of which there are many,
/// and tools that send again do so within minutes.
pub const REQUEST_KEPT_S: u64 = 3600;

/// Rows of a group of rows in Parquet files, the unit that readers skip.
pub const ROW_GROUP_ROWS: usize = 1 << 18;

/// Limits that can be set.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of appended batches that may wait for the disk, of each tenant; more are refused as [`Busy`](super::StoreError::Busy).
    pub waiting_bytes: usize,
    /// Bytes of a segment after which another is begun.
    pub segment_bytes: u64,
    /// Seconds after which another segment is begun.
    pub segment_s: u64,
    /// Bytes of segments that are compacted by one commit, at least one segment: the bound on memory.
    pub compact_bytes: u64,
    /// Seconds after the end of its recording for which a batch is taken. Copies are known for twice as long, those
    /// of other tools' requests for [`REQUEST_KEPT_S`].
    pub batch_age_s: u64,
    /// Bytes of a tenant's files; the oldest days are removed beyond.
    pub tenant_bytes: u64,
    /// Days for which files of hours are kept, which know hosts; they become files of days then.
    pub hours_kept_days: u64,
    /// Days for which anything is kept.
    pub days_kept: u64,
    /// Seconds for which files are kept after other files took their place, for questions that still read them. Only seconds in which a
    /// hub ran count.
    pub replaced_kept_s: u64,
    /// Seconds, counted likewise, for which files are kept after they went away by their age, for
    /// [`restore`](super::Store::restore).
    pub expired_kept_s: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            waiting_bytes: 128 << 20,
            segment_bytes: 64 << 20,
            segment_s: 600,
            compact_bytes: 128 << 20,
            batch_age_s: 7 * 86_400,
            tenant_bytes: 100 << 30,
            hours_kept_days: 7,
            days_kept: 400,
            replaced_kept_s: 3600,
            expired_kept_s: 7 * 86_400,
        }
    }
}
