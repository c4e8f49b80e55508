//! From sockets to packets: what clients send comes in here and is handed to whoever makes samples of it.
//!
//! ```text
//! workers = 0:  socket -> receiver ------------------------> Handle      on one thread
//! otherwise:    socket -> receiver -> parcels -> queue ----> Handle      on a worker's thread
//! ```
//!
//! Constraints that shaped this:
//! - One call reads up to 64 datagrams, and a thread that finds nothing waits within the same call.
//! - A worker is woken for a parcel, into which the receiver has merged the packets of one process
//!   ([`crate::protocol::merge`]; StatsD's are joined by newlines). Parcels are allocated once and go in circles; that
//!   there are only so many of them bounds the queue. Where none is free the receiver waits for a while, then drops the
//!   packet and counts it.
//! - What comes of one process always goes to the same worker, in its order: the last value of a gauge is the last
//!   one that was sent. The same holds for one connection, and for the clients of one UDP socket.
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

/// How often [`Handle::idle`] is called, at least: nothing waits longer.
const TICK: Duration = Duration::from_millis(50);

/// Takes what has been received. Each of the threads that handle packets has one of its own.
pub trait Handle {
    /// A packet, or several that were merged into one. Its protocol is never [`Protocol::Either`].
    fn packet(&mut self, protocol: Protocol, packet: &[u8], origin: Origin);

    /// A frame of another agent ([`crate::wire::relay::frame`]), of which only the header was looked at. What it says is
    /// answered. Who takes none refuses all.
    fn frame(&mut self, _frame: &[u8], _origin: Origin) -> Status {
        Status::Refused
    }

    /// Called every 50 to 100 milliseconds, whether packets come or not; later only if a packet took longer.
    fn idle(&mut self);
}

/// What packets are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Protocol {
    /// Points in msgpack.
    Sdk,
    /// Lines of StatsD and DogStatsD.
    Statsd,
    /// One or the other, told by the first byte.
    Either,
    /// What another agent's interval came to, over streams: [`crate::wire::relay`].
    Relay,
}

impl Protocol {
    /// What a packet is made of that came where this is spoken: never `Either`. No line of StatsD begins with
    /// the head of a msgpack array.
    pub fn of(self, packet: &[u8]) -> Self {
        match (self, packet.first()) {
            (Self::Either, Some(0x90..=0x9f | 0xdc | 0xdd)) => Self::Sdk,
            (Self::Either, _) => Self::Statsd,
            (known, _) => known,
        }
    }
}

/// Who sent a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// The listener that it came in at, by its number.
    pub listener: u16,
    /// UDP and TCP: the host that it came from, as [`net_of`] says; 0 otherwise.
    pub net: u64,
    /// The process; 0 if that is not known, as over UDP and TCP, or from another PID namespace.
    pub pid: u32,
    /// Its user; 0 where the process is not known.
    pub uid: u32,
}

/// What tells hosts apart: an IPv4 address, or the first half of an IPv6 address, since whoever has one has all of those
/// that begin like it. No address in use gives 0.
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
