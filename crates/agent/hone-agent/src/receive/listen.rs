//! Settings of listeners, and their open sockets.

use super::Protocol;
use super::activation::Passed;
use super::counts::ReceiveCounts;
use super::datagram::{self, DatagramSocket};
use super::error::ReceiveError;
use super::incoming::TEXT_LENGTH_MIN;
use super::secure::Secure;
use super::socket_file::OwnFile;
use super::stream::{self, StreamSocket};
use rustix::io::Errno;
use rustix::net::{SocketType, sockopt};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Longest possible datagram.
const DATAGRAM_BYTES_MAX: usize = 65_535;
/// Limit on the sockets of one listener. More sockets than CPUs gain nothing.
const SHARDS_MAX: usize = 256;

/// Settings of a listener.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listen {
    /// Name of the listener: in counts and messages, and for sockets that the service manager passes.
    pub name: String,
    /// Address to listen at.
    pub address: Address,
    /// Protocol that clients speak.
    pub protocol: Protocol,
    /// UDP: number of sockets that share the address, each with a thread of its own; the kernel gives all packets of one client
    /// to the same socket. Other listeners have one socket.
    pub shards: usize,
    /// Size of the receive buffer of each socket; the system's default if `None`.
    pub receive_buffer_bytes: Option<usize>,
    /// Longest packet in bytes. Longer datagrams are truncated and dropped; connections with longer frames are closed.
    pub packet_bytes_max: usize,
    /// Unix datagrams: true if the kernel is to report the sender of each datagram. For Unix streams the sender is always known.
    pub credentials: bool,
    /// Limits on the clients of streams.
    pub stream: StreamLimits,
    /// Streams: how packets are separated from each other.
    pub framing: Framing,
    /// TCP: TLS settings, if TLS is spoken.
    pub tls: Option<Secure>,
}

/// Address that clients send to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// A Unix datagram socket.
    UnixDatagram(SocketFile),
    /// A Unix stream socket.
    UnixStream(SocketFile),
    /// UDP, over IPv4 or IPv6. `[::]` takes IPv6 alone.
    Udp(SocketAddr),
    /// TCP, over IPv4 or IPv6. `[::]` takes IPv6 alone.
    Tcp(SocketAddr),
}

impl Address {
    pub(super) fn kind(&self) -> SocketType {
        match self {
            Self::UnixDatagram(_) | Self::Udp(_) => SocketType::DGRAM,
            Self::UnixStream(_) | Self::Tcp(_) => SocketType::STREAM,
        }
    }

    pub(super) fn is_unix(&self) -> bool {
        matches!(self, Self::UnixDatagram(_) | Self::UnixStream(_))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnixDatagram(file) => write!(to, "unixgram:{}", file.path.display()),
            Self::UnixStream(file) => write!(to, "unix:{}", file.path.display()),
            Self::Udp(address) => write!(to, "udp:{address}"),
            Self::Tcp(address) => write!(to, "tcp:{address}"),
        }
    }
}

/// The file of a Unix socket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SocketFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Mode of the file, such as 0o622: a process that may write to the file may send.
    pub mode: u32,
    /// User id of the file's owner, if different from the agent's.
    pub owner: Option<u32>,
    /// Group id of the file, if different from the agent's.
    pub group: Option<u32>,
}

/// Separation of the packets of a stream. Points in msgpack and frames of other agents always come in frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    /// Frames with a length or lines, decided by the first four bytes of a connection.
    Auto,
    /// Frames: each packet follows its length, as DogStatsD's clients send it.
    Length,
    /// Lines, as StatsD's clients send them.
    Lines,
}

/// Limits on the clients of streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamLimits {
    /// Number of connections open at the same time.
    pub connections_max: usize,
    /// Time after which a connection without data is closed.
    pub idle: Duration,
}

impl Listen {
    /// A listener with one socket, 8 KiB packets, at most 1,024 connections which may be silent for five minutes, and
    /// the system's default of a receive buffer.
    pub fn new(name: impl Into<String>, address: Address, protocol: Protocol) -> Self {
        Self {
            name: name.into(),
            address,
            protocol,
            shards: 1,
            receive_buffer_bytes: None,
            packet_bytes_max: 8192,
            credentials: true,
            stream: StreamLimits {
                connections_max: 1024,
                idle: Duration::from_secs(300),
            },
            framing: Framing::Auto,
            tls: None,
        }
    }

    /// Describes a failed system call of the listener.
    pub(super) fn system(&self, step: &'static str, why: io::Error) -> ReceiveError {
        ReceiveError::System {
            listener: self.name.clone(),
            address: self.address.to_string(),
            step,
            why,
        }
    }

    /// Describes why an address could not be bound.
    pub(super) fn not_bound(&self, errno: Errno) -> ReceiveError {
        if errno != Errno::ADDRINUSE {
            return self.system("bind its socket", errno.into());
        }
        ReceiveError::InUse {
            listener: self.name.clone(),
            address: self.address.to_string(),
        }
    }

    fn takes_lines(&self) -> bool {
        matches!(self.protocol, Protocol::Statsd | Protocol::Either)
    }

    /// Checks that the settings are possible together.
    pub fn check(&self) -> Result<(), ReceiveError> {
        let is_udp = matches!(self.address, Address::Udp(_));
        let is_datagram = self.address.kind() == SocketType::DGRAM;
        let what = match self {
            _ if self.shards == 0 || self.shards > SHARDS_MAX => "there can be 1 to 256 shards",
            _ if self.shards > 1 && !is_udp => {
                "only UDP can have several shards; give it workers instead"
            }
            _ if self.protocol == Protocol::Relay && is_datagram => {
                "other agents relay over streams: unix: or tcp:"
            }
            _ if self.packet_bytes_max == 0 => "packets need at least one byte",
            _ if is_datagram && self.packet_bytes_max > DATAGRAM_BYTES_MAX => {
                "no datagram is longer than 65,535 bytes"
            }
            _ if u32::try_from(self.packet_bytes_max).is_err() => "frames are shorter than 4 GiB",
            _ if self.framing == Framing::Lines && !self.takes_lines() => {
                "only statsd and either are spoken in lines; leave framing out"
            }
            _ if self.framing == Framing::Auto
                && self.takes_lines()
                && !is_datagram
                && self.packet_bytes_max >= TEXT_LENGTH_MIN =>
            {
                "with packets of more than 144 MiB, lines cannot be told from frames; set framing to \"length\" or \"lines\""
            }
            _ if self.tls.is_some() && !matches!(self.address, Address::Tcp(_)) => {
                "TLS is spoken over tcp: only"
            }
            _ if !is_datagram && self.stream.connections_max == 0 => {
                "there must be room for at least one connection"
            }
            _ => return Ok(()),
        };
        Err(ReceiveError::Setting {
            listener: self.name.clone(),
            what,
        })
    }
}

/// A listener whose sockets are open. Clients can send as soon as this value exists. The sockets close with it, and the
/// file of a Unix socket is removed.
#[derive(Debug)]
pub struct Opened {
    pub(super) listen: Arc<Listen>,
    pub(super) counts: Arc<ReceiveCounts>,
    pub(super) sources: Vec<Source>,
    /// File of the Unix socket, removed with the listener.
    pub(super) file: Option<OwnFile>,
}

/// A socket with all state that must outlive the thread that reads it.
#[derive(Debug)]
pub(super) enum Source {
    Datagram(DatagramSocket),
    Stream(StreamSocket),
}

impl Source {
    fn socket(&self) -> BorrowedFd<'_> {
        match self {
            Self::Datagram(socket) => socket.socket.as_fd(),
            Self::Stream(socket) => socket.socket.as_fd(),
        }
    }
}

impl Opened {
    /// Returns the settings of the listener.
    pub fn listen(&self) -> &Listen {
        &self.listen
    }

    /// Returns the counters of the listener's packets.
    pub fn counts(&self) -> &Arc<ReceiveCounts> {
        &self.counts
    }

    /// Applies other settings to the open sockets. Settings that belong to the sockets stay as they were: name, address and
    /// number of shards.
    pub fn change(&mut self, listen: Listen) -> Result<(), ReceiveError> {
        let listen = Listen {
            name: self.listen.name.clone(),
            shards: self.listen.shards,
            ..listen
        };
        listen.check()?;
        for source in &self.sources {
            datagram::set_receive_buffer(&listen, source.socket())?;
        }
        if let (Some(file), Address::UnixDatagram(wanted) | Address::UnixStream(wanted)) =
            (&self.file, &listen.address)
        {
            file.change_rights(wanted, &listen)?;
        }
        self.listen = Arc::new(listen);
        Ok(())
    }

    /// Continues the counters of an earlier listener of the same name.
    pub fn count_on(&mut self, counts: Arc<ReceiveCounts>) {
        self.counts = counts;
    }

    /// Returns the actual address, with the port that the system chose if port 0 was asked for. `None` for Unix sockets.
    pub fn local_address(&self) -> Option<SocketAddr> {
        let address = rustix::net::getsockname(self.sources.first()?.socket()).ok()?;
        SocketAddr::try_from(address).ok()
    }

    /// Returns the size of the receive buffer of each socket. The kernel doubles the requested size, to have room for its own
    /// data, so the reported size is halved. It is smaller than requested if `net.core.rmem_max` is smaller.
    pub fn receive_buffer_bytes(&self) -> Vec<usize> {
        let sizes = self.sources.iter().map(|source| {
            sockopt::socket_recv_buffer_size(source.socket()).map_or(0, |doubled| doubled / 2)
        });
        sizes.collect()
    }
}

/// Opens the sockets of all listeners, or takes the sockets that were passed under their names.
pub fn open(listens: &[Listen], passed: &mut Passed) -> Result<Vec<Opened>, ReceiveError> {
    let opened = listens.iter().map(|listen| {
        listen.check()?;
        open_one(listen, passed.take(&listen.name))
    });
    opened.collect()
}

fn open_one(listen: &Listen, passed: Vec<OwnedFd>) -> Result<Opened, ReceiveError> {
    let is_datagram = listen.address.kind() == SocketType::DGRAM;
    let (sources, file) = if !passed.is_empty() {
        (take(listen, passed)?, None)
    } else if is_datagram {
        let (sockets, file) = datagram::open(listen)?;
        (sockets.into_iter().map(Source::Datagram).collect(), file)
    } else {
        let (socket, file) = stream::open(listen)?;
        (vec![Source::Stream(socket)], file)
    };
    Ok(Opened {
        listen: Arc::new(listen.clone()),
        counts: Arc::default(),
        sources,
        file,
    })
}

/// Takes sockets that the service manager opened.
fn take(listen: &Listen, passed: Vec<OwnedFd>) -> Result<Vec<Source>, ReceiveError> {
    let kind = listen.address.kind();
    let sources = passed.into_iter().map(|socket| {
        let fits = is_of(socket.as_fd(), &listen.address);
        if !fits.map_err(|errno| listen.system("use the passed socket", errno.into()))? {
            let wanted = match listen.address {
                Address::UnixDatagram(_) => "Unix datagram",
                Address::UnixStream(_) => "listening Unix stream",
                Address::Udp(_) => "UDP",
                Address::Tcp(_) => "listening TCP",
            };
            return Err(ReceiveError::Passed {
                listener: listen.name.clone(),
                wanted,
            });
        }
        Ok(if kind == SocketType::DGRAM {
            Source::Datagram(datagram::take(listen, socket)?)
        } else {
            Source::Stream(stream::take(listen, socket)?)
        })
    });
    sources.collect()
}

/// Returns true if a socket could have been opened for an address.
fn is_of(socket: BorrowedFd<'_>, address: &Address) -> Result<bool, Errno> {
    if sockopt::socket_type(socket)? != address.kind() {
        return Ok(false);
    }
    let family = sockopt::socket_domain(socket)?;
    let is_unix = family == rustix::net::AddressFamily::UNIX;
    let is_listening = sockopt::socket_acceptconn(socket)?;
    Ok(is_unix == address.is_unix() && is_listening == (address.kind() == SocketType::STREAM))
}
