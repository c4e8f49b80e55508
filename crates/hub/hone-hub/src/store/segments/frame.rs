//! The bytes of segments: a header, then batches, each with its length and checksum.
//!
//! ```text
//! segment  "HONESEG" version:u8 frame*
//! frame    length:u32 crc32:u32 payload[length]
//! payload  host_length:u16 host run:u128 number:u64 from_s:u64 to_s:u64 batch
//! ```
//! Numbers are little-endian. The batch is in the form of hone-batch, and is not looked at here.

use std::ops::Range;

use hone_batch::{HOST_BYTES_MAX, Origin};

use super::super::error::StoreError;
use super::super::limits::BATCH_BYTES_MAX;

/// First bytes of a segment; the last of them is the version.
pub(crate) const HEADER: &[u8; 8] = b"HONESEG\x01";
/// Bytes of a frame's length and checksum.
const HEAD_BYTES: usize = 8;
/// Bytes of what is told of a batch beside the host.
const FACTS_BYTES: usize = 2 + 16 + 8 + 8 + 8;

/// A batch in a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) origin: Origin,
    pub(crate) span_s: Range<u64>,
    pub(crate) batch: &'a [u8],
}

impl Frame<'_> {
    /// Appends the bytes of the frame.
    ///
    /// # Errors
    ///
    /// [`StoreError::BatchTooLarge`] if batch or host are longer than their limits.
    pub(crate) fn write(&self, to: &mut Vec<u8>) -> Result<(), StoreError> {
        let host = self.origin.host.as_bytes();
        for (bytes, max) in [
            (self.batch.len(), BATCH_BYTES_MAX),
            (host.len(), HOST_BYTES_MAX),
        ] {
            if bytes > max {
                return Err(StoreError::BatchTooLarge { bytes, max });
            }
        }
        let length = FACTS_BYTES + host.len() + self.batch.len();
        let mut payload = Vec::with_capacity(length);
        payload.extend((host.len() as u16).to_le_bytes());
        payload.extend(host);
        payload.extend(self.origin.run.to_le_bytes());
        payload.extend(self.origin.number.to_le_bytes());
        payload.extend(self.span_s.start.to_le_bytes());
        payload.extend(self.span_s.end.to_le_bytes());
        payload.extend(self.batch);
        to.extend((length as u32).to_le_bytes());
        to.extend(crc32fast::hash(&payload).to_le_bytes());
        to.extend(payload);
        Ok(())
    }
}

/// Batches in bytes of a segment, one after the other up to the first that is not whole.
pub(super) struct Frames<'b> {
    rest: &'b [u8],
}

impl<'b> Frames<'b> {
    /// Begins with bytes that lie at a position of a segment, which is the end of a batch or 0; `None` if they are of no segment.
    pub(super) fn at(position: u64, bytes: &'b [u8]) -> Option<Self> {
        let rest = match position {
            0 => bytes.strip_prefix(HEADER.as_slice())?,
            _ => bytes,
        };
        Some(Self { rest })
    }

    /// Returns the number of bytes behind the batches so far.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }
}

impl<'b> Iterator for Frames<'b> {
    type Item = Frame<'b>;

    fn next(&mut self) -> Option<Frame<'b>> {
        let (frame, behind) = frame(self.rest)?;
        self.rest = behind;
        Some(frame)
    }
}

/// Reads the first batch of bytes; returns what is behind it. `None` if it is not whole.
fn frame(bytes: &[u8]) -> Option<(Frame<'_>, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD_BYTES)?;
    let (length, checksum) = head.split_at(4);
    let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
    let (payload, rest) = rest.split_at_checked(length)?;
    if crc32fast::hash(payload) != u32::from_le_bytes(checksum.try_into().ok()?) {
        return None;
    }
    Some((parse(payload)?, rest))
}

fn parse(payload: &[u8]) -> Option<Frame<'_>> {
    let (host_length, rest) = payload.split_first_chunk::<2>()?;
    let (host, rest) = rest.split_at_checked(u16::from_le_bytes(*host_length) as usize)?;
    let (run, rest) = rest.split_first_chunk::<16>()?;
    let (number, rest) = rest.split_first_chunk::<8>()?;
    let (from, rest) = rest.split_first_chunk::<8>()?;
    let (to, batch) = rest.split_first_chunk::<8>()?;
    Some(Frame {
        origin: Origin {
            host: str::from_utf8(host).ok()?.to_owned(),
            run: u128::from_le_bytes(*run),
            number: u64::from_le_bytes(*number),
        },
        span_s: u64::from_le_bytes(*from)..u64::from_le_bytes(*to),
        batch,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the batches of a segment up to the first that is not whole, and the number of bytes that are left behind them.
    fn frames(segment: &[u8]) -> (Vec<Frame<'_>>, usize) {
        match Frames::at(0, segment) {
            Some(mut frames) => (frames.by_ref().collect(), frames.left()),
            None => (Vec::new(), segment.len()),
        }
    }

    fn segment(batches: &[&[u8]]) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        for (number, batch) in batches.iter().enumerate() {
            let origin = Origin {
                host: "web-1".to_owned(),
                run: 7 << 100,
                number: number as u64,
            };
            let frame = Frame {
                origin,
                span_s: 60..120,
                batch,
            };
            frame.write(&mut bytes).unwrap();
        }
        bytes
    }

    #[test]
    fn every_cut_of_a_segment_gives_its_whole_batches() {
        let whole = segment(&[b"one", b"", b"three"]);
        let ends: Vec<usize> = (0..=3)
            .map(|count| segment(&[b"one".as_slice(), b"", b"three"][..count]).len())
            .collect();
        for cut in 0..=whole.len() {
            let (found, torn) = frames(&whole[..cut]);
            let expected = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(found.len(), expected.saturating_sub(1), "cut at {cut}");
            let kept = if expected == 0 { 0 } else { ends[expected - 1] };
            assert_eq!(torn, cut - kept);
        }
        let (found, _) = frames(&whole);
        assert_eq!(found[2].batch, b"three");
        assert_eq!(found[2].origin.number, 2);
        assert_eq!(found[2].span_s, 60..120);
    }

    #[test]
    fn a_changed_byte_ends_the_segment_before_its_batch() {
        let whole = segment(&[b"one", b"two"]);
        let first = segment(&[b"one"]).len();
        for at in first..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            let (found, torn) = frames(&changed);
            assert_eq!((found.len(), torn), (1, whole.len() - first), "byte {at}");
        }
    }
}
