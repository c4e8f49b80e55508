//! Limits on what a batch may hold. Batches come from other machines: a claim over a limit is an error, never an allocation.
//!
//! Makers of batches keep to the same limits, so that what was made can be read.

/// Frames of one stack.
pub const DEPTH_MAX: usize = 1024;
/// Labels of one group.
pub const LABELS_MAX: usize = 30;
/// Bytes of a name, a path, a label's key or value, or another text.
pub const TEXT_BYTES_MAX: usize = 4096;
/// Bytes of the name of a host; names of DNS have at most 253.
pub const HOST_BYTES_MAX: usize = 255;
/// Sum of one column of counts; no sum over a batch can overflow.
pub const SUM_MAX: u64 = 1 << 62;

/// Limits that depend on who sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of an unpacked batch. The tables in memory take up to ten times as much.
    pub bytes_max: usize,
    /// Names, paths, and texts of groups.
    pub texts_max: usize,
}

impl Default for Limits {
    /// Limits for a batch of one host.
    fn default() -> Self {
        Self {
            bytes_max: 64 << 20,
            texts_max: 1 << 20,
        }
    }
}

/// Cuts a text to [`TEXT_BYTES_MAX`].
pub(crate) fn cut(text: String) -> String {
    cut_to(text, TEXT_BYTES_MAX)
}

/// Cuts a text to so many bytes.
pub(crate) fn cut_to(mut text: String, bytes_max: usize) -> String {
    if text.len() > bytes_max {
        let mut end = bytes_max;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
    text
}
