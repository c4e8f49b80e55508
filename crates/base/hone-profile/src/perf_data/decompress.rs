//! `perf record -z`: the ring buffers' content as one zstd stream, cut into records.
//!
//! A record may begin in one piece of the stream and end in the next, so output that was not taken yet is kept in one
//! buffer. A hostile file could ask for terabytes, so the size of the output is bounded by the size of the input
//! ([`DECOMPRESSION_RATIO_MAX`]).

use crate::limits::DECOMPRESSION_RATIO_MAX;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// Bytes of room for output at a time.
const CHUNK_BYTES: usize = 128 * 1024;

/// A zstd stream and its output so far.
#[derive(Default)]
pub(crate) struct Decompressor {
    decoder: Option<Decoder<'static>>,
    chunk: Vec<u8>,
    output: Vec<u8>,
    /// Bytes of output in all, and their limit.
    produced: usize,
    allowed: usize,
}

impl Decompressor {
    /// Adds a piece of the stream; returns false if the stream is broken or grows beyond the limit.
    pub(crate) fn push(&mut self, piece: &[u8]) -> bool {
        self.allowed = self
            .allowed
            .saturating_add(piece.len().saturating_mul(DECOMPRESSION_RATIO_MAX))
            .max(CHUNK_BYTES);
        if self.decoder.is_none() {
            self.decoder = Decoder::new().ok();
            self.chunk.resize(CHUNK_BYTES, 0);
        }
        let Some(decoder) = &mut self.decoder else {
            return false;
        };
        let mut input = InBuffer::around(piece);
        loop {
            if self.produced >= self.allowed {
                return false;
            }
            let mut out = OutBuffer::around(&mut self.chunk[..]);
            if decoder.run(&mut input, &mut out).is_err() {
                return false;
            }
            let written = out.pos();
            self.output.extend_from_slice(&self.chunk[..written]);
            self.produced += written;
            // Less output than room: nothing is held back inside the decoder.
            if input.pos() >= piece.len() && written < CHUNK_BYTES {
                return true;
            }
        }
    }

    /// Returns the output that was not taken yet.
    pub(crate) fn output(&self) -> &[u8] {
        &self.output
    }

    /// Drops the first `len` bytes of the output, which have been read.
    pub(crate) fn take(&mut self, len: usize) {
        self.output.drain(..len);
    }
}
