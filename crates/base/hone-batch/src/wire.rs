//! Bytes of a batch: four letters, a version, and a zstd frame with one message of protobuf.
//!
//! The message has a packed field for each column of each table, since a message for each row would take several times the bytes
//! and the time. Columns whose neighbours are alike hold differences. The fields are listed in `docs/internals/batch.md`.
//!
//! Reading checks everything that the rest of the crate relies on, and allocates no more than a small multiple of the bytes that
//! arrived. The same batch gives the same bytes.

mod column;
mod read;
mod texts;
mod write;

use hone_profile::protobuf::ProtobufError;

pub use read::read;
pub use write::write;

/// First bytes of a batch.
pub const MAGIC: [u8; 4] = *b"HONB";

/// Version of the bytes that [`write`] makes.
pub const VERSION: u8 = 1;
/// Header with which a hub tells its time, in seconds since 1970, in every answer to a batch.
pub const HUB_TIME: &str = "hone-hub-time";
/// Header with which a host tells its time, in seconds since 1970, beside a batch.
pub const HOST_TIME: &str = "hone-host-time";

/// Seconds by which the clocks of a host and its hub may differ before people are told.
pub const CLOCKS_TOLD_S: u64 = 300;

/// Returns the seconds by which one of these times is ahead of another.
pub fn ahead_s(time_s: u64, than_s: u64) -> i64 {
    let signed = |time_s| i64::try_from(time_s).unwrap_or(i64::MAX);
    signed(time_s) - signed(than_s)
}

/// Reason why bytes could not be read as a batch.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// The bytes begin with something else.
    #[error("this is no batch: it does not begin with HONB")]
    NoBatch,
    /// A newer version wrote the batch.
    #[error("the batch has version {found}, and this program reads versions up to {VERSION}")]
    Version {
        /// Version of the batch.
        found: u8,
    },
    /// The zstd frame is broken or was cut, or something follows it.
    #[error("the batch cannot be unpacked: its zstd frame is damaged, or was cut")]
    Compression,
    /// The batch is larger than the limit.
    #[error("the unpacked batch has more than {max} bytes")]
    TooLarge {
        /// The limit.
        max: usize,
    },
    /// The message is not protobuf.
    #[error("the batch is damaged: {0}")]
    Encoding(#[from] ProtobufError),
    /// The name of the sender's host is too long, or is not UTF-8.
    #[error("the name of the batch's host is not UTF-8, or has more than {max} bytes", max = crate::HOST_BYTES_MAX)]
    Host,
    /// A table has columns of different lengths.
    #[error("the column {column} has {rows} rows, and its table has {expected}")]
    Rows {
        /// The column.
        column: &'static str,
        /// Rows of the column.
        rows: usize,
        /// Rows of the first column of the table.
        expected: usize,
    },
    /// A number has no meaning in its column.
    #[error("row {row} of the column {column} has the impossible value {value}")]
    Value {
        /// The column.
        column: &'static str,
        /// The row, from 0.
        row: usize,
        /// The value.
        value: u64,
    },
    /// A row refers to a row that does not exist.
    #[error("row {row} of the column {column} refers to row {index} of a table with {rows}")]
    Index {
        /// The column.
        column: &'static str,
        /// The row, from 0.
        row: usize,
        /// The row that is referred to.
        index: u64,
        /// Rows of the table that is referred to.
        rows: usize,
    },
    /// A stack has too many frames.
    #[error("the stack of frame {frame} has more than {max} frames", max = crate::DEPTH_MAX)]
    Depth {
        /// The frame.
        frame: usize,
    },
    /// A group has too many labels.
    #[error("group {group} has {labels} labels, and at most {max} are allowed", max = crate::LABELS_MAX)]
    Labels {
        /// The group.
        group: usize,
        /// Number of its labels.
        labels: u64,
    },
    /// There are too many texts.
    #[error("the batch has {texts} names and other texts, and at most {max} are allowed")]
    Texts {
        /// Number of texts.
        texts: usize,
        /// The limit.
        max: usize,
    },
    /// A text is too long.
    #[error("text {text} has {bytes} bytes, and at most {max} are allowed", max = crate::TEXT_BYTES_MAX)]
    LongText {
        /// Position of the text, from 0.
        text: usize,
        /// Length of the text.
        bytes: u64,
    },
    /// A text is not UTF-8, or its bytes are missing.
    #[error("text {text} is missing or is not UTF-8")]
    Text {
        /// Position of the text, from 0.
        text: usize,
    },
    /// There are more texts than the tables need.
    #[error("the batch has {texts} texts more than its tables need")]
    SpareTexts {
        /// Number of texts that nothing refers to.
        texts: usize,
    },
    /// The counts of a column are too large for sums.
    #[error("the counts of the column {column} add up to more than {max}", max = crate::SUM_MAX)]
    Sum {
        /// The column.
        column: &'static str,
    },
}
