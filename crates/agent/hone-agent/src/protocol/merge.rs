//! Merging of small packets of the SDK into one batch, so that a worker is woken once for many packets.
//!
//! A batch is itself a packet: a msgpack array-16 of points, whose header is correct after every added packet. A bare point
//! becomes one element; of an array of points, the elements are copied without the header. Before that, each packet is
//! walked through once, without looking at the content of its strings. A packet whose array does not end at the end of the
//! packet would make the points of its neighbours unreadable, and is not merged.

use super::msgpack::Reader;
use super::sdk;
use crate::limits::BATCH_POINTS_MAX;

/// An empty array-16, with room for the number of its elements.
const EMPTY: [u8; 3] = [0xdc, 0, 0];

/// Points from several packets. All should have the same origin: a batch does not record the origin of a point.
#[derive(Clone, Debug)]
pub struct Batch {
    packet: Vec<u8>,
    points: usize,
    bytes_max: usize,
    points_max: usize,
}

/// Result of putting a packet into a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Put {
    /// The packet is in the batch.
    Taken,
    /// The batch has no room for the packet now; an empty batch has.
    Full,
    /// The packet is broken, or larger than a batch. It has to be parsed by itself, which counts its malformed points.
    Alone,
}

impl Batch {
    /// An empty batch for at most the given number of bytes and of points, of which there can be 65,535. All memory that the
    /// batch will ever need is allocated here.
    pub fn new(bytes_max: usize, points_max: usize) -> Self {
        let mut packet = Vec::with_capacity(bytes_max.max(EMPTY.len()));
        packet.extend(EMPTY);
        Self {
            packet,
            points: 0,
            bytes_max,
            points_max: points_max.min(BATCH_POINTS_MAX),
        }
    }

    /// Appends the points of a packet.
    pub fn put(&mut self, packet: &[u8]) -> Put {
        let Some((points, elements)) = elements(packet) else {
            return Put::Alone;
        };
        let fits_behind = |bytes: usize, before: usize| {
            bytes + elements.len() <= self.bytes_max && before + points <= self.points_max
        };
        if !fits_behind(EMPTY.len(), 0) {
            return Put::Alone;
        }
        if !fits_behind(self.packet.len(), self.points) {
            return Put::Full;
        }
        self.packet.extend_from_slice(elements);
        self.points += points;
        self.packet[1..3].copy_from_slice(&(self.points as u16).to_be_bytes());
        Put::Taken
    }

    /// Returns the number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Returns true if the batch has no points.
    pub fn is_empty(&self) -> bool {
        self.points == 0
    }

    /// Returns all points as one packet.
    pub fn packet(&self) -> &[u8] {
        &self.packet
    }

    /// Removes all points, and keeps the memory.
    pub fn clear(&mut self) {
        self.packet.truncate(EMPTY.len());
        self.packet[1..3].fill(0);
        self.points = 0;
    }
}

/// Returns the number of points of a packet, and their bytes in a row. `None` if the packet is not one whole array.
fn elements(packet: &[u8]) -> Option<(usize, &[u8])> {
    let mut reader = Reader::new(packet);
    let points = sdk::enter(&mut reader)?;
    let elements = reader.rest();
    reader.skip(points)?;
    let is_whole = reader.rest().is_empty();
    is_whole.then_some((points as usize, elements))
}
