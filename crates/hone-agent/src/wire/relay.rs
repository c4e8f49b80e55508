//! From one hone-agent to another over a stream: framed MessagePack that loses nothing that can be merged.
//!
//! ```text
//! frame  "HNRL"  version u8  packing u8  0 0  length u32  crc32 u32   then `length` bytes
//! body   [source, sequence, end_ms, length_ms, [point, point, ...]], packed as `packing` says
//! point  [kind, metric, [key, value, ...], what it came to ...]
//! answer "HNAK"  version u8  status u8  0 0  crc32 u32
//! ```
//!
//! Numbers of the frame are little endian; `crc32` is that of the bytes that follow, and the answer repeats it.
//! The receiver answers each frame once it has taken what is in it: only then it is the receiver's. A frame whose answer
//! got lost comes again; `source` and `sequence` let the receiver see that ([`seen`]).
//!
//! A frame is read whole and checked before anything of it is stored ([`decode`]), so that it is taken or refused, and
//! never half.

pub mod frame;
mod point;
pub mod seen;
mod tags;

pub use tags::tags;

use super::msgpack::{self, Malformed, Reader};
use super::{Encoded, Part};
use crate::limits::RELAYED_POINTS_MAX;
use crate::sample::RawSeries;
use crate::store::Cell;

/// Which part of which agent's this is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// A number that the agent draws when it starts, below 2^63.
    pub source: u64,
    /// Counts its parts.
    pub sequence: u64,
}

/// What a frame holds.
#[derive(Debug)]
pub struct Relayed<'b> {
    /// Which it is.
    pub origin: Origin,
    /// The series, and what the interval added to each.
    pub points: Vec<(RawSeries<'b>, Cell)>,
}

/// Elements of the body's array.
const FIELDS: usize = 5;

/// The part as the body of a frame, not yet packed. The labels become tags, where the series has none of that name.
pub fn encode(part: Part<'_>, labels: &[(String, String)], origin: Origin) -> Encoded {
    let mut body = Vec::with_capacity(64 + part.points.len() * 80);
    msgpack::array(&mut body, FIELDS);
    msgpack::uint(&mut body, origin.source);
    msgpack::uint(&mut body, origin.sequence);
    msgpack::int(&mut body, part.end_ms);
    msgpack::uint(&mut body, u64::from(part.length_ms));
    msgpack::array(&mut body, part.points.len());
    let labels = tags::sorted(labels);
    for point in part.points {
        point::write(&mut body, point, &labels);
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
/// If it is not what [`encode`] writes, or more than [`crate::limits`] allow.
pub fn decode(body: &[u8]) -> Result<Relayed<'_>, Malformed> {
    let mut reader = Reader::new(body);
    if reader.array()? != FIELDS {
        return Err(reader.malformed("an array of five"));
    }
    let origin = Origin {
        source: reader.fit()?,
        sequence: reader.fit()?,
    };
    let mut interval = point::Interval {
        end_ms: reader.int()?,
        length_ms: reader.fit()?,
        bins: 0,
    };
    let many = reader.malformed("as many points as a frame may have");
    let claimed = reader.array()?;
    if claimed > RELAYED_POINTS_MAX {
        return Err(many);
    }
    let mut points = Vec::new();
    for _ in 0..claimed {
        points.push(point::read(&mut reader, &mut interval)?);
    }
    match reader.is_at_end() {
        true => Ok(Relayed { origin, points }),
        false => Err(reader.malformed("the end")),
    }
}

#[cfg(test)]
mod tests;
