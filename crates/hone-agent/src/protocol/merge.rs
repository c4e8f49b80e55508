//! Small packets of the SDK become one batch, so that a worker is woken once for many of them.
//!
//! A batch is itself a packet: a msgpack array-16 of points, whose header is right after every packet that was put
//! in. A bare point becomes one element; of an array of points the elements are taken and its header is left
//! behind. Before that the packet is walked through once, without looking at what the strings say: what does not end
//! where the packet ends would make points of its neighbours unreadable, and stays outside.

use super::msgpack::Reader;
use super::sdk;
use crate::limits::BATCH_POINTS_MAX;

/// Array-16, with room for the number of its elements.
const EMPTY: [u8; 3] = [0xdc, 0, 0];

/// Points that came in several packets. All should be of one origin: a batch does not say which point came from whom.
#[derive(Clone, Debug)]
pub struct Batch {
    packet: Vec<u8>,
    points: usize,
    bytes_max: usize,
    points_max: usize,
}

/// What became of a packet that was to be put into a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Put {
    /// It is in the batch.
    Taken,
    /// The batch has no room for it now; an empty one has.
    Full,
    /// Never: it is broken, or larger than a batch. It is to be parsed by itself, which counts what is malformed in it.
    Alone,
}

impl Batch {
    /// An empty batch that takes so many bytes and points, of which there can be 65,535. All memory that it will ever
    /// need is allocated here.
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

    /// Puts the points of a packet behind those that are there.
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

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.points == 0
    }

    /// All points as one packet.
    pub fn packet(&self) -> &[u8] {
        &self.packet
    }

    /// Leaves no points, and keeps the memory.
    pub fn clear(&mut self) {
        self.packet.truncate(EMPTY.len());
        self.packet[1..3].fill(0);
        self.points = 0;
    }
}

/// How many points a packet has, and their bytes one behind the other. `None` if it is not one whole array.
fn elements(packet: &[u8]) -> Option<(usize, &[u8])> {
    let mut reader = Reader::new(packet);
    let points = sdk::enter(&mut reader)?;
    let elements = reader.rest();
    reader.skip(points)?;
    let is_whole = reader.rest().is_empty();
    is_whole.then_some((points as usize, elements))
}
