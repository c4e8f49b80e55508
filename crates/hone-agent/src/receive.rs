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
mod inet;
mod listen;
mod parcel;
mod queue;
mod socket_file;
mod stop;
mod stream;
mod sys;
mod worker;

pub use self::activation::Passed;
pub use self::counts::{ReceiveCounts, Received};
pub use self::error::ReceiveError;
pub use self::listen::{Address, Listen, Opened, SocketFile, StreamLimits, open};
pub use self::worker::{Receiver, Work};

use std::time::Duration;

/// How often [`Handle::idle`] is called, at least: nothing waits longer.
const TICK: Duration = Duration::from_millis(50);

/// Takes what has been received. Each of the threads that handle packets has one of its own.
pub trait Handle {
    /// A packet, or several that were merged into one. Its protocol is never [`Protocol::Either`].
    fn packet(&mut self, protocol: Protocol, packet: &[u8], origin: Origin);

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
}

impl Protocol {
    /// What a packet is made of that came where this is spoken: `Sdk` or `Statsd`. No line of StatsD begins with
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
    /// The process; 0 if that is not known, as over UDP and TCP, or from another PID namespace.
    pub pid: u32,
    /// Its user; 0 where the process is not known.
    pub uid: u32,
}
