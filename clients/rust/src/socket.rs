//! The socket for packets, which never waits.
//!
//! The Unix socket is not connected: every packet finds the agent by its path, so a restarted agent is found again
//! without any action. The cost is one path lookup in the kernel for each packet of a hundred samples.

use crate::client::StartError;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::unix::net::{SocketAddr as UnixAddress, UnixDatagram};

/// Error number for a message that is too long for the socket.
const EMSGSIZE: i32 = 90;
/// Error number for a system without memory for the message now.
const ENOBUFS: i32 = 105;

#[derive(Debug)]
pub(crate) enum Socket {
    Unix(UnixDatagram, UnixAddress),
    Udp(UdpSocket),
}

/// Outcome of sending a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Taken,
    /// The receiver's queue is full.
    Busy,
    /// There is no receiver.
    Away,
    /// No packet of this size will ever be taken.
    TooLong,
}

impl Socket {
    /// Opens a socket for an address in the form of the agent's configuration: `unixgram:PATH` or `udp:ADDRESS:PORT`.
    pub(crate) fn open(address: &str) -> Result<Self, StartError> {
        let not_an_address = || StartError::Address(address.to_owned());
        if let Some(path) = address.strip_prefix("unixgram:") {
            let path = UnixAddress::from_pathname(path).ok();
            let path = path
                .filter(|path| !path.is_unnamed())
                .ok_or_else(not_an_address)?;
            let socket = UnixDatagram::unbound().and_then(|socket| {
                socket.set_nonblocking(true)?;
                Ok(socket)
            });
            return Ok(Self::Unix(socket.map_err(StartError::System)?, path));
        }
        let udp = address
            .strip_prefix("udp:")
            .and_then(|rest| rest.parse().ok());
        let to: SocketAddr = udp.ok_or_else(not_an_address)?;
        connected(to).map(Self::Udp).map_err(StartError::System)
    }

    pub(crate) fn send(&self, packet: &[u8]) -> Outcome {
        let sent = match self {
            Self::Unix(socket, path) => socket.send_to_addr(packet, path),
            Self::Udp(socket) => socket.send(packet),
        };
        match sent {
            Ok(_) => Outcome::Taken,
            Err(error) => outcome(&error),
        }
    }
}

fn connected(to: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = match to {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(any)?;
    socket.connect(to)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

fn outcome(error: &io::Error) -> Outcome {
    match (error.kind(), error.raw_os_error()) {
        (ErrorKind::WouldBlock | ErrorKind::Interrupted | ErrorKind::OutOfMemory, _) => {
            Outcome::Busy
        }
        (_, Some(ENOBUFS)) => Outcome::Busy,
        (_, Some(EMSGSIZE)) => Outcome::TooLong,
        _ => Outcome::Away,
    }
}
