//! From one hone-agent to another over TCP: framed MessagePack that loses nothing of an aggregate.
//!
//! ```text
//! frame  "HNRL"  version u8  packing u8  0 0  length u32  crc32 u32   then `length` bytes
//! body   [source, sequence, end_ms, length_ms, [point, point, ...]], packed as `packing` says
//! point  [kind, metric, [key, value, ...], aggregate, its numbers ...]
//! answer "HNAK"  version u8  status u8  0 0  crc32 u32
//! ```
//!
//! Numbers of the frame are little endian; `crc32` is that of the bytes that follow, and the answer repeats it.
//! The receiver answers each frame once it has taken what is in it: only then it is the receiver's. A frame whose answer
//! got lost comes again; `source` and `sequence` let the receiver see that ([`seen`]).

pub mod frame;
mod point;
pub mod seen;

use super::msgpack::{self, Malformed, Reader};
use super::{Encoded, Part};
use crate::aggregate::Interval;

/// Which part of which agent's this is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// A number that the agent draws when it starts, below 2^63.
    pub source: u64,
    /// Counts its parts.
    pub sequence: u64,
}

/// Elements of the body's array.
const FIELDS: usize = 5;

/// The part as the body of a frame, not yet packed.
pub fn encode(part: Part<'_>, origin: Origin) -> Encoded {
    let mut body = Vec::with_capacity(64 + part.points.len() * 80);
    msgpack::array(&mut body, FIELDS);
    msgpack::uint(&mut body, origin.source);
    msgpack::uint(&mut body, origin.sequence);
    msgpack::int(&mut body, part.end_ms);
    msgpack::uint(&mut body, u64::from(part.length_ms));
    msgpack::array(&mut body, part.points.len());
    for point in part.points {
        point::write(&mut body, point);
    }
    Encoded {
        body,
        points: part.points.len() as u64,
        ..Encoded::default()
    }
}

/// What the body of a frame holds. Memory grows with the bytes that are there, not with what they claim.
///
/// # Errors
/// If it is not what [`encode`] writes.
pub fn decode(body: &[u8]) -> Result<(Origin, Interval), Malformed> {
    let mut reader = Reader::new(body);
    if reader.array()? != FIELDS {
        return Err(reader.malformed("an array of five"));
    }
    let origin = Origin {
        source: reader.fit()?,
        sequence: reader.fit()?,
    };
    let mut interval = Interval {
        end_ms: reader.int()?,
        length_ms: reader.fit()?,
        points: Vec::new(),
    };
    for _ in 0..reader.array()? {
        interval.points.push(point::read(&mut reader)?);
    }
    match reader.is_at_end() {
        true => Ok((origin, interval)),
        false => Err(reader.malformed("the end")),
    }
}

#[cfg(test)]
mod tests;
