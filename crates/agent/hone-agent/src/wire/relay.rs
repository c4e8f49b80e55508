//! Frames from one hone-agent to another over a stream: MessagePack that loses nothing that can be merged.
//!
//! ```text
//! frame  "HNRL"  version u8  packing u8  0 0  length u32  crc32 u32   then `length` bytes
//! body   [source, sequence, end_ms, length_ms, [point, point, ...]], packed as `packing` says
//! point  [kind, metric, [key, value, ...], values of the kind ...]
//! answer "HNAK"  version u8  status u8  0 0  crc32 u32
//! ```
//!
//! Numbers of the frame are little endian; `crc32` is the checksum of the bytes that follow, and the answer repeats it.
//! The receiver answers each frame once it has taken the points: only then they are the receiver's. A frame whose
//! answer got lost comes again; `source` and `sequence` let the receiver recognize it ([`seen`]).
//!
//! A frame is read whole and checked before any point of it is stored ([`decode`]), so that a frame is taken or
//! refused, and never half.

pub mod duplicates;
pub mod frame;
mod point;
mod tags;

pub use tags::tags;

use super::msgpack::{self, Malformed, Reader};
use super::{Encoded, Part};
use crate::limits::RELAYED_POINTS_MAX;
use crate::sample::RawSeries;
use crate::store::Cell;

/// Identity of a part: the agent, and the number of the part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// Random number below 2^63 that the agent draws when it starts.
    pub source: u64,
    /// Number of the part, counted by the agent.
    pub sequence: u64,
}

/// Content of a frame.
#[derive(Debug)]
pub struct Relayed<'b> {
    /// Identity of the frame.
    pub origin: Origin,
    /// The series, each with the values that the interval added.
    pub points: Vec<(RawSeries<'b>, Cell)>,
}

/// Number of elements of the body's array.
const FIELDS: usize = 5;

/// Encodes a part as the body of a frame, not yet packed. The labels become tags, unless the series has a tag of that
/// name.
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

/// Decodes the body of a frame. Memory grows with the bytes that are there, not with the lengths that they claim.
///
/// # Errors
/// If the body is not what [`encode`] writes, or has more than [`crate::limits`] allow.
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
