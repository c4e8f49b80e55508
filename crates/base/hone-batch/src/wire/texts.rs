//! Texts of a batch: all of them one after the other, in the order in which the tables need them.
//!
//! Texts that are alike are written again: a reader that copied a text for each reference to it would let few bytes claim much
//! memory, and compression makes copies cheap.

use hone_profile::protobuf::Message;

use super::BatchError;
use super::column::{Column, Columns, TEXT_BYTES, TEXT_LENGTHS, put};
use crate::limits::{Limits, TEXT_BYTES_MAX};

/// Texts being written.
#[derive(Default)]
pub(super) struct Written {
    bytes: Vec<u8>,
    lengths: Vec<u64>,
}

impl Written {
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.lengths.push(text.len() as u64);
    }

    pub(super) fn finish(self, message: &mut Message) {
        message.bytes(TEXT_BYTES.number as u64, &self.bytes);
        put(message, TEXT_LENGTHS, self.lengths.into_iter());
    }
}

/// Texts being read.
pub(super) struct Texts<'b> {
    bytes: &'b [u8],
    lengths: Column<'b>,
    /// Number of texts that have been taken, and of all.
    taken: usize,
    texts: usize,
}

impl<'b> Texts<'b> {
    pub(super) fn of(columns: &Columns<'b>, limits: &Limits) -> Result<Self, BatchError> {
        let ([lengths], texts) = columns.table([TEXT_LENGTHS])?;
        if texts > limits.texts_max {
            return Err(BatchError::Texts {
                texts,
                max: limits.texts_max,
            });
        }
        Ok(Self {
            bytes: columns.bytes(TEXT_BYTES),
            lengths,
            taken: 0,
            texts,
        })
    }

    /// Number of texts that have not been taken.
    pub(super) fn left(&self) -> usize {
        self.texts - self.taken
    }

    /// Takes the next text.
    pub(super) fn take(&mut self) -> Result<&'b str, BatchError> {
        let text = self.taken;
        if self.left() == 0 {
            return Err(BatchError::Text { text });
        }
        let bytes = self.lengths.number()?;
        self.taken += 1;
        let length = usize::try_from(bytes).ok();
        let length = length.filter(|length| *length <= TEXT_BYTES_MAX);
        let length = length.ok_or(BatchError::LongText { text, bytes })?;
        let (own, rest) = self
            .bytes
            .split_at_checked(length)
            .ok_or(BatchError::Text { text })?;
        self.bytes = rest;
        std::str::from_utf8(own).map_err(|_| BatchError::Text { text })
    }
}
