//! Parcels, which go from a receiver to a worker: packets of one process, merged into one.

use super::{Origin, Protocol};
use crate::protocol::merge::{Batch, Put};
use crate::protocol::sdk;
use memchr::memchr_iter;

/// Packets of one process in one protocol. The memory of a parcel is reused.
#[derive(Debug)]
pub(super) struct Parcel {
    batch: Batch,
    /// Lines of StatsD, or a packet that no batch takes.
    bytes: Vec<u8>,
    bytes_max: usize,
    is_batch: bool,
    pub(super) protocol: Protocol,
    pub(super) origin: Origin,
    /// Number of the listener that received the packets.
    pub(super) listener: usize,
    /// Number of packets.
    pub(super) packets: u64,
}

impl Parcel {
    /// A parcel with room for packets of `bytes_max` bytes together, or for one larger packet.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            batch: Batch::new(bytes_max, usize::MAX),
            bytes: Vec::with_capacity(bytes_max),
            bytes_max,
            is_batch: false,
            protocol: Protocol::Statsd,
            origin: Origin::default(),
            listener: 0,
            packets: 0,
        }
    }

    /// Becomes an empty parcel for the packets of a process.
    pub(super) fn begin(&mut self, listener: usize, protocol: Protocol, origin: Origin) {
        self.batch.clear();
        self.bytes.clear();
        self.is_batch = false;
        self.protocol = protocol;
        self.origin = origin;
        self.listener = listener;
        self.packets = 0;
    }

    /// Returns true if packets of this protocol and process may go into the parcel.
    pub(super) fn is_for(&self, protocol: Protocol, origin: Origin) -> bool {
        self.protocol == protocol && self.origin == origin
    }

    /// Appends a packet. A packet that is `Alone` must go into an empty parcel, by [`Parcel::put_alone`].
    pub(super) fn put(&mut self, packet: &[u8]) -> Put {
        let put = match self.protocol {
            Protocol::Sdk => self.batch.put(packet),
            _ => self.put_lines(packet),
        };
        if put == Put::Taken {
            self.is_batch = self.protocol == Protocol::Sdk;
            self.packets += 1;
        }
        put
    }

    fn put_lines(&mut self, packet: &[u8]) -> Put {
        let needs_newline = self.bytes.last().is_some_and(|last| *last != b'\n');
        if packet.len() > self.bytes_max {
            return Put::Alone;
        }
        if self.bytes.len() + usize::from(needs_newline) + packet.len() > self.bytes_max {
            return Put::Full;
        }
        if needs_newline {
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(packet);
        Put::Taken
    }

    /// Puts a packet that cannot be merged into an empty parcel.
    pub(super) fn put_alone(&mut self, packet: &[u8]) {
        self.bytes.extend_from_slice(packet);
        self.packets += 1;
    }

    /// Returns all packets as one packet.
    pub(super) fn packet(&self) -> &[u8] {
        if self.is_batch {
            self.batch.packet()
        } else {
            &self.bytes
        }
    }
}

/// Returns the number of points of the SDK or lines of StatsD in a packet. Data that cannot be read counts as one point.
pub(super) fn points(protocol: Protocol, packet: &[u8]) -> u64 {
    if protocol == Protocol::Sdk {
        let parsed = sdk::parse(packet, &mut |_| {});
        return parsed.samples + parsed.malformed;
    }
    let ended = memchr_iter(b'\n', packet).count() as u64;
    let has_last = packet.last().is_some_and(|last| *last != b'\n');
    ended + u64::from(has_last)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESS: Origin = Origin {
        pid: 7,
        uid: 0,
        listener: 0,
        net: 0,
    };

    #[test]
    fn lines_are_joined_by_one_newline() {
        let mut parcel = Parcel::new(20);
        parcel.begin(0, Protocol::Statsd, PROCESS);
        assert_eq!(parcel.put(b"a:1|c\n"), Put::Taken);
        assert_eq!(parcel.put(b"b:2|c"), Put::Taken);
        assert_eq!(parcel.put(b"c:3|c"), Put::Taken);
        assert_eq!(parcel.packet(), b"a:1|c\nb:2|c\nc:3|c");
        assert_eq!(parcel.put(b"d:4|c"), Put::Full);
        assert_eq!(parcel.put(&[b'x'; 21]), Put::Alone);
        assert_eq!(parcel.packets, 3);
    }

    #[test]
    fn a_parcel_that_is_used_again_holds_nothing_of_before() {
        let mut parcel = Parcel::new(100);
        parcel.begin(0, Protocol::Sdk, PROCESS);
        assert_eq!(parcel.put(&[0x90]), Put::Taken);
        assert_eq!(parcel.packet(), [0xdc, 0, 0]);
        parcel.begin(1, Protocol::Sdk, PROCESS);
        assert_eq!(parcel.put(b"broken"), Put::Alone);
        parcel.put_alone(b"broken");
        assert_eq!((parcel.packet(), parcel.packets), (&b"broken"[..], 1));
    }

    #[test]
    fn points_and_lines_are_counted() {
        assert_eq!(points(Protocol::Statsd, b"a:1|c\nb:1|c"), 2);
        assert_eq!(points(Protocol::Statsd, b"a:1|c\n"), 1);
        assert_eq!(points(Protocol::Statsd, b""), 0);
        assert_eq!(points(Protocol::Sdk, b"\x92\x01\x02"), 2);
        assert_eq!(points(Protocol::Sdk, b"\xdc"), 1);
    }
}
