//! A packet that is being filled: an array of points, whose head is written when the number of points is known.

use crate::counts::OWN;
use std::mem;

/// Head of an array of up to 65,535 points.
const HEAD: [u8; HEAD_BYTES] = [0xdc, 0, 0];
pub(crate) const HEAD_BYTES: usize = 3;

#[derive(Debug)]
pub(crate) struct Packet {
    bytes: Vec<u8>,
    points: u16,
    /// Number of points of the service; the other points are the client's own.
    pub(crate) samples: u64,
    /// Values in the client's own points.
    pub(crate) own: [u64; OWN],
}

impl Packet {
    pub(crate) fn new(bytes_max: usize) -> Self {
        let mut bytes = Vec::with_capacity(bytes_max);
        bytes.extend(HEAD);
        Self {
            bytes,
            points: 0,
            samples: 0,
            own: [0; OWN],
        }
    }

    /// Returns the number of bytes until now.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points == 0
    }

    /// Adds a point. The number of points cannot overflow: packets have at most 65,507 bytes and points at least 8.
    pub(crate) fn add(&mut self, parts: [&[u8]; 4]) {
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        self.points += 1;
    }

    /// Returns the whole packet.
    pub(crate) fn finished(&mut self) -> &[u8] {
        self.bytes[1..HEAD_BYTES].copy_from_slice(&self.points.to_be_bytes());
        &self.bytes
    }

    /// Empties the packet, to be filled again.
    pub(crate) fn clear(&mut self) {
        self.bytes.truncate(HEAD_BYTES);
        self.points = 0;
        self.samples = 0;
        self.own = [0; OWN];
    }

    /// Takes the content of the packet, and leaves `empty` in its place.
    pub(crate) fn exchange(&mut self, empty: Self) -> Self {
        mem::replace(self, empty)
    }
}
