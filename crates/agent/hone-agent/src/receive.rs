//! Reads packets from sockets and hands them to the code that turns them into samples.
//!
//! ```text
//! workers = 0:  socket -> receiver ------------------------> Handle      on one thread
//! otherwise:    socket -> receiver -> parcels -> queue ----> Handle      on a worker's thread
//! ```
//!
//! Constraints that shaped this:
//! - One system call reads up to 64 datagrams. A thread that finds none waits within the same call.
//! - A worker is woken once per parcel. The receiver merges the packets of one process into a parcel
//!   ([`crate::protocol::merge`]; lines of StatsD are joined by newlines). Parcels are allocated once and reused, so
//!   their fixed number bounds the queue. If no parcel is free, the receiver waits for a while, then drops the packet
//!   and counts the drop.
//! - All packets of one process go to the same worker, in the order in which they were sent: the last value of a gauge
//!   is the last value sent. The same holds for the packets of one connection, and of the clients of one UDP socket.
//! - Everything is counted ([`Received`]): packets = handled + dropped, by reason.
//! - A stop loses nothing that was accepted ([`Receiver::stop`]), and sockets can outlive their threads, so that a
//!   reload loses nothing either ([`Receiver::pause`]).

mod activation;
mod counts;
mod datagram;
mod deliver;
mod error;
mod frames;
mod incoming;
mod inet;
mod lines;
mod listen;
mod parcel;
mod queue;
mod secure;
mod socket_file;
mod stop;
mod stream;
mod sys;
mod worker;

pub use self::activation::Passed;
pub use self::counts::{ReceiveCounts, Received};
pub use self::error::ReceiveError;
pub use self::listen::{Address, Framing, Listen, Opened, SocketFile, StreamLimits, open};
pub use self::secure::Secure;
pub use self::worker::{Receiver, Work};

use crate::wire::relay::frame::Status;
use std::net::IpAddr;
use std::time::Duration;

/// Longest wait for a packet, and shortest time between two calls of [`Handle::idle`].
const TICK: Duration = Duration::from_millis(50);

/// Handles received packets. Each thread that handles packets has a handler of its own.
pub trait Handle {
    /// Handles one packet, or several packets merged into one. `protocol` is never [`Protocol::Either`].
    fn packet(&mut self, protocol: Protocol, packet: &[u8], origin: Origin);

    /// Handles a frame of another agent ([`crate::wire::relay::frame`]), of which only the header was checked. Returns the
    /// status to answer with. By default every frame is refused.
    fn frame(&mut self, _frame: &[u8], _origin: Origin) -> Status {
        Status::Refused
    }

    /// Called every 50 to 100 milliseconds, whether packets come or not; later only if a packet took longer.
    fn idle(&mut self);
}

/// Protocol of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Protocol {
    /// Points in msgpack.
    Sdk,
    /// Lines of StatsD and DogStatsD.
    Statsd,
    /// Either [`Self::Sdk`] or [`Self::Statsd`], decided by the first byte of a packet.
    Either,
    /// Results of an interval of another agent, over streams: [`crate::wire::relay`].
    Relay,
}

impl Protocol {
    /// Returns the protocol of a packet that came to a listener of this protocol; never `Either`. No line of StatsD begins
    /// with the head of a msgpack array.
    pub fn of(self, packet: &[u8]) -> Self {
        match (self, packet.first()) {
            (Self::Either, Some(0x90..=0x9f | 0xdc | 0xdd)) => Self::Sdk,
            (Self::Either, _) => Self::Statsd,
            (known, _) => known,
        }
    }
}

/// Sender of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// Number of the listener that received the packet.
    pub listener: u16,
    /// Network of the sending host for UDP and TCP, computed by [`net_of`]; 0 otherwise.
    pub net: u64,
    /// Process id; 0 if unknown, as over UDP and TCP, or for a process in another PID namespace.
    pub pid: u32,
    /// User id of the process; 0 if the process is unknown.
    pub uid: u32,
}

/// Returns a number that tells hosts apart: an IPv4 address, or the first half of an IPv6 address, since the owner of one
/// IPv6 address has all addresses with the same first half. No address in use gives 0.
pub fn net_of(address: IpAddr) -> u64 {
    match address.to_canonical() {
        IpAddr::V4(address) => u64::from(address.to_bits()),
        IpAddr::V6(address) if address.is_loopback() => 1,
        IpAddr::V6(address) => (address.to_bits() >> 64) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart_by_their_addresses() {
        let net = |address: &str| net_of(address.parse().unwrap());
        assert_eq!(net("10.0.0.1"), net("::ffff:10.0.0.1"));
        assert_ne!(net("10.0.0.1"), net("10.0.0.2"));
        assert_eq!(net("2001:db8::1"), net("2001:db8::2"));
        assert_ne!(net("2001:db8::1"), net("2001:db8:0:1::1"));
        assert_ne!(net("::1"), 0);
    }
}
