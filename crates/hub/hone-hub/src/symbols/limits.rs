//! Limits of symbols: what is uploaded comes from outside.

/// Bytes of a part of a file in the store, and so of memory for one upload or download.
pub const PART_BYTES: u64 = 8 << 20;

/// Seconds that storing one file may take. What is older and belongs to no file is removed.
pub const STORING_S_MAX: u64 = 3600;

/// Seconds for which a build is taken as it was, before another process' uploads are looked for.
pub const LOOK_AGAIN_S: u64 = 60;

/// Seconds for which no server is asked again for a file that none had.
pub const ABSENT_S: u64 = 86_400;

/// Seconds for which no server is asked again after one that failed.
pub const FAILED_S: u64 = 600;

/// Builds of all tenants that are remembered as noted today. Further ones are looked at again when they are seen.
pub const NOTED_MAX: usize = 1 << 17;

/// Rows of a table of names. A program with 150 MB of code and full debug information has half as many.
pub const ROWS_MAX: usize = 1 << 25;

/// Frames that are looked at to make a table. Damaged debug information may nest each instruction in thousands.
pub const FRAMES_MAX: u64 = 1 << 30;

/// Functions inlined into each other at one instruction; those in the middle are left out beyond.
pub const INLINED_MAX: usize = 256;

/// Bytes of a name or a path in a table; longer ones are cut.
pub const NAME_BYTES_MAX: usize = 1 << 16;

/// Bytes of an unpacked chunk of a table, after which the next one begins.
pub const CHUNK_BYTES: usize = 1 << 20;

/// Bytes of the largest unpacked chunk that is read: [`CHUNK_BYTES`], and a row of the longest names.
pub const CHUNK_BYTES_MAX: usize = 64 << 20;

/// Limits that can be set.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a file.
    pub file_bytes: u64,
    /// Bytes of the debug sections of a file when they are unpacked.
    pub unpacked_bytes: u64,
    /// Bytes of all files and tables of a tenant.
    pub tenant_bytes: u64,
    /// Days after the last sample of a build for which its files are kept.
    pub days_kept: u64,
    /// Bytes of memory for tables that were read.
    pub cache_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 1 << 30,
            unpacked_bytes: 4 << 30,
            tenant_bytes: 100 << 30,
            days_kept: 400,
            cache_bytes: 128 << 20,
        }
    }
}
