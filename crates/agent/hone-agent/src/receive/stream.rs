//! Stream sockets: how to open them, and the loop that serves all connections of a listener.
//!
//! One thread serves all connections, so that clients cost no threads. A connection is read once, up to 64 KiB, before the
//! next connection is read: a client that floods does not starve the others. An unfinished frame or line is kept with its
//! connection, as long as all connections together do not keep too much.
//!
//! Frames of other agents are answered as soon as they were handled. The answers to all frames of one read are written
//! together. A connection without room for its answers is closed, since its client does not read them.

use super::counts::Received;
use super::deliver::Delivery;
use super::error::ReceiveError;
use super::frames::Unfit;
use super::incoming::{Came, Incoming};
use super::inet::{self, Shared};
use super::listen::{Address, Listen};
use super::secure::{Secure, Session};
use super::socket_file::{self, OwnFile};
use super::stop::{End, Stop};
use super::{Handle, Origin, Protocol, TICK, datagram, net_of, sys};
use crate::wire::relay::frame;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, epoll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SendFlags, Shutdown, SocketFlags, SocketType, sockopt};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// Bytes read from a connection at a time.
const READ_BYTES: usize = 64 * 1024;
/// Bytes of unfinished frames that all connections of a listener may keep: a few of the longest frames, or a hundred usual
/// frames of other agents.
const KEPT_BYTES_MAX: usize = 64 << 20;
/// Connections that wait to be accepted.
const BACKLOG: i32 = 1024;

/// Event numbers of the listening socket and of the stop; connections have the numbers after these.
const LISTENER: u64 = 0;
const STOP: u64 = 1;
const FIRST_CONNECTION: u64 = 2;

/// A listening socket with its connections, which outlive the thread that serves them.
#[derive(Debug)]
pub(super) struct StreamSocket {
    pub(super) socket: OwnedFd,
    waits: OwnedFd,
    connections: HashMap<u64, Connection>,
    /// Bytes that the connections keep of unfinished frames.
    kept_bytes: usize,
    next: u64,
    /// True if the socket ends with the listener. A passed socket stays open in the service manager.
    is_own: bool,
}

#[derive(Debug)]
struct Connection {
    socket: OwnedFd,
    session: Option<Session>,
    incoming: Incoming,
    /// True if the client, and not a stop of the listener, ends the stream.
    ends_by_client: bool,
    origin: Origin,
    heard: Instant,
}

/// Opens the socket of a listener.
pub(super) fn open(listen: &Listen) -> Result<(StreamSocket, Option<OwnFile>), ReceiveError> {
    let (socket, file) = match &listen.address {
        Address::UnixStream(file) => {
            let socket = inet::socket(listen, AddressFamily::UNIX, SocketFlags::NONBLOCK)?;
            let file = socket_file::bind(socket.as_fd(), SocketType::STREAM, file, listen)?;
            (socket, Some(file))
        }
        Address::Tcp(address) => {
            let flags = SocketFlags::NONBLOCK;
            (
                inet::bound(listen, *address, flags, Shared::WithThePast)?,
                None,
            )
        }
        Address::UnixDatagram(_) | Address::Udp(_) => unreachable!("asked for streams"),
    };
    // Connections inherit the size of the buffer.
    datagram::set_receive_buffer(listen, &socket)?;
    rustix::net::listen(&socket, BACKLOG).map_err(|errno| listen.system("listen", errno.into()))?;
    Ok((prepared(listen, socket, true)?, file))
}

/// Takes a listening socket passed by the service manager.
pub(super) fn take(listen: &Listen, socket: OwnedFd) -> Result<StreamSocket, ReceiveError> {
    rustix::io::ioctl_fionbio(&socket, true)
        .map_err(|errno| listen.system("let its socket not wait", errno.into()))?;
    datagram::set_receive_buffer(listen, &socket)?;
    prepared(listen, socket, false)
}

fn prepared(listen: &Listen, socket: OwnedFd, is_own: bool) -> Result<StreamSocket, ReceiveError> {
    let failed = |errno: Errno| listen.system("wait for connections", errno.into());
    let waits = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(failed)?;
    wait_for(&waits, &socket, LISTENER).map_err(failed)?;
    Ok(StreamSocket {
        socket,
        waits,
        connections: HashMap::new(),
        kept_bytes: 0,
        next: FIRST_CONNECTION,
        is_own,
    })
}

fn wait_for(waits: &OwnedFd, socket: impl AsFd, number: u64) -> Result<(), Errno> {
    let data = epoll::EventData::new_u64(number);
    epoll::add(waits, socket, data, epoll::EventFlags::IN)
}

/// Serves connections until an end is requested.
pub(super) fn receive<H: Handle>(
    source: &mut StreamSocket,
    listen: &Listen,
    delivery: &mut Delivery<H>,
    stop: &Stop,
) {
    let mut room = vec![0; READ_BYTES];
    let mut events = Vec::with_capacity(256);
    let mut looked = Instant::now();
    // If this fails, the loop notices the stop after a tick.
    let _ = wait_for(&source.waits, stop.wakes(), STOP);
    let end = loop {
        if let Some(end) = stop.asked() {
            break end;
        }
        wait(
            source,
            &mut events,
            delivery.lingers().unwrap_or(TICK).min(TICK),
        );
        for event in events.drain(..) {
            match event.data.u64() {
                LISTENER => source.accept(listen, delivery),
                STOP => {}
                number => source.serve(number, &mut room, delivery),
            }
        }
        delivery.round_over(true);
        if looked.elapsed() >= TICK {
            looked = Instant::now();
            source.close_idle(listen.stream.idle, delivery);
        }
    };
    let _ = epoll::delete(&source.waits, stop.wakes());
    if end == End::Drained {
        source.drain(listen, &mut room, delivery);
    }
    delivery.end_of_rounds();
}

fn wait(source: &StreamSocket, events: &mut Vec<epoll::Event>, at_most: Duration) {
    let timeout = Timespec {
        tv_sec: at_most.as_secs() as i64,
        tv_nsec: i64::from(at_most.subsec_nanos()),
    };
    // The call fails if a signal comes: there are no events yet.
    let _ = epoll::wait(&source.waits, spare_capacity(events), Some(&timeout));
}

/// State of a connection after a read.
#[derive(PartialEq, Eq)]
enum Goes {
    On,
    /// Open, and all data that was there is read.
    Empty,
    Closed,
}

impl StreamSocket {
    /// Accepts waiting connections: at most as many as can wait, so that new clients do not hold up the others.
    fn accept<H: Handle>(&mut self, listen: &Listen, delivery: &mut Delivery<H>) {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        for _ in 0..BACKLOG {
            let socket = match rustix::net::accept_with(&self.socket, flags) {
                Ok(socket) => socket,
                Err(Errno::AGAIN) => return,
                // The client has gone again.
                Err(Errno::INTR | Errno::CONNABORTED | Errno::PROTO) => continue,
                Err(_) => {
                    delivery.counted(|counts| counts.errors += 1);
                    // Most likely too many open files. The connection still waits; without the sleep, the loop would take a whole CPU.
                    std::thread::sleep(TICK);
                    return;
                }
            };
            if self.connections.len() >= listen.stream.connections_max {
                delivery.counted(|counts| counts.connections_refused += 1);
                continue;
            }
            match self.connect(listen, socket) {
                Ok(()) => delivery.counted(|counts| counts.connections += 1),
                Err(_) => delivery.counted(|counts| counts.errors += 1),
            }
        }
    }

    fn connect(&mut self, listen: &Listen, socket: OwnedFd) -> std::io::Result<()> {
        let origin = if listen.address.is_unix() {
            sys::peer(socket.as_fd())?
        } else {
            // The address is unknown if the client has already gone.
            let peer = rustix::net::getpeername(&socket).ok().flatten();
            let peer = peer.and_then(|peer| SocketAddr::try_from(peer).ok());
            Origin {
                net: peer.map_or(0, |peer| net_of(peer.ip())),
                ..Origin::default()
            }
        };
        let session = listen.tls.as_ref().map(Secure::session).transpose()?;
        wait_for(&self.waits, &socket, self.next)?;
        let connection = Connection {
            socket,
            session,
            incoming: Incoming::of(listen),
            ends_by_client: true,
            origin,
            heard: Instant::now(),
        };
        self.connections.insert(self.next, connection);
        self.next += 1;
        Ok(())
    }

    /// Reads from a connection once.
    fn serve<H: Handle>(&mut self, number: u64, room: &mut [u8], delivery: &mut Delivery<H>) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        let before = connection.incoming.kept_bytes();
        let mut goes = connection.read(room, delivery).1;
        self.kept_bytes = self.kept_bytes + connection.incoming.kept_bytes() - before;
        if self.kept_bytes > KEPT_BYTES_MAX && goes != Goes::Closed {
            delivery.counted(|counts| counts.connections_without_room += 1);
            delivery.counted(|counts| connection.breaks_off(counts));
            goes = Goes::Closed;
        }
        if goes == Goes::Closed
            && let Some(closed) = self.connections.remove(&number)
        {
            self.kept_bytes -= closed.incoming.kept_bytes();
        }
    }

    fn close_idle<H: Handle>(&mut self, idle: Duration, delivery: &mut Delivery<H>) {
        let kept_bytes = &mut self.kept_bytes;
        self.connections.retain(|_, connection| {
            let is_idle = connection.heard.elapsed() >= idle;
            if is_idle {
                *kept_bytes -= connection.incoming.kept_bytes();
                delivery.counted(|counts| counts.connections_idle += 1);
                delivery.counted(|counts| connection.breaks_off(counts));
            }
            !is_idle
        });
    }

    /// Receives all data that has been sent, also on connections that have not been accepted yet unless the socket was passed,
    /// and closes all connections.
    fn drain<H: Handle>(&mut self, listen: &Listen, room: &mut [u8], delivery: &mut Delivery<H>) {
        if self.is_own {
            self.accept(listen, delivery);
        }
        self.kept_bytes = 0;
        for (_, mut connection) in self.connections.drain() {
            connection.drain(listen.address.is_unix(), room, delivery);
        }
    }
}

impl Connection {
    /// Reads once. Returns the number of bytes read and the state of the connection.
    fn read<H: Handle>(&mut self, room: &mut [u8], delivery: &mut Delivery<H>) -> (usize, Goes) {
        let bytes = match rustix::io::read(&self.socket, &mut *room) {
            Ok(bytes) if bytes > 0 => bytes,
            Err(Errno::AGAIN | Errno::INTR) => return (0, Goes::Empty),
            ended => {
                if ended.is_ok() && self.ends_by_client {
                    let origin = self.origin;
                    self.incoming.finish(&mut |came| {
                        hand_on(came, origin, delivery);
                    });
                }
                delivery.counted(|counts| self.breaks_off(counts));
                return (0, Goes::Closed);
            }
        };
        self.heard = Instant::now();
        let mut said = Vec::new();
        let (arrived, opened) = match &mut self.session {
            None => (&room[..bytes], Ok(())),
            Some(session) => {
                let opened = session.open(&room[..bytes], &self.socket, &mut said);
                (&said[..], opened)
            }
        };
        let origin = self.origin;
        let mut answers = Vec::new();
        let mut each =
            |came: Came<'_>| answers.extend(hand_on(came, origin, delivery).into_iter().flatten());
        let taken = self.incoming.take(arrived, &mut each);
        let taken = taken.map(|lines| delivery.counted(|counts| counts.lines_too_long += lines));
        let is_answered = self.answer(&answers);
        match taken {
            Ok(()) if opened.is_err() => {
                delivery.counted(|counts| counts.connections_insecure += 1);
                delivery.counted(|counts| self.breaks_off(counts));
            }
            Ok(()) if is_answered => return (bytes, Goes::On),
            Ok(()) => delivery.counted(|counts| counts.errors += 1),
            Err(Unfit::TooLong) => delivery.counted(|counts| counts.frames_too_long += 1),
            Err(Unfit::Foreign) => delivery.counted(|counts| counts.frames_foreign += 1),
        }
        (bytes, Goes::Closed)
    }

    /// Writes answers. Returns false if the client does not read them.
    fn answer(&mut self, answers: &[u8]) -> bool {
        if answers.is_empty() {
            return true;
        }
        if let Some(session) = &mut self.session {
            return session.send(answers, &self.socket).is_ok();
        }
        let send = || rustix::net::send(&self.socket, answers, SendFlags::NOSIGNAL);
        rustix::io::retry_on_intr(send) == Ok(answers.len())
    }

    /// Reads all data that the client has sent. Over a Unix socket the client cannot send any more from here on; over TCP it
    /// can, so at most as many bytes are read as the receive buffer has room for.
    fn drain<H: Handle>(&mut self, is_unix: bool, room: &mut [u8], delivery: &mut Delivery<H>) {
        self.ends_by_client = has_ended(&self.socket);
        let is_closed = rustix::net::shutdown(&self.socket, Shutdown::Read).is_ok() && is_unix;
        let most = sockopt::socket_recv_buffer_size(&self.socket).unwrap_or(0);
        let mut read = 0;
        while is_closed || read < most {
            let (bytes, goes) = self.read(room, delivery);
            delivery.round_over(false);
            match goes {
                Goes::On => read += bytes,
                Goes::Empty => break,
                Goes::Closed => return,
            }
        }
        delivery.counted(|counts| self.breaks_off(counts));
    }

    /// Counts the frame or line that the end of the connection leaves unfinished.
    fn breaks_off(&self, counts: &mut Received) {
        counts.frames_broken_off += u64::from(self.incoming.has_begun());
    }
}

/// Hands on a packet, lines or a frame. Returns the answer to a frame.
fn hand_on<H: Handle>(
    came: Came<'_>,
    origin: Origin,
    delivery: &mut Delivery<H>,
) -> Option<[u8; frame::ANSWER_BYTES]> {
    match came {
        Came::Packet(packet) => delivery.packet(packet, origin),
        Came::Lines(lines) => delivery.packet_in(Protocol::Statsd, lines, origin),
        Came::Relayed(relayed) => {
            let status = delivery.frame(relayed, origin);
            return Some(frame::answer(relayed, status));
        }
    }
    None
}

/// Returns true if the client sends no more.
fn has_ended(socket: &OwnedFd) -> bool {
    let mut sockets = [PollFd::new(socket, PollFlags::RDHUP)];
    let is_told = rustix::event::poll(&mut sockets, Some(&Timespec::default()));
    is_told == Ok(1)
        && sockets[0]
            .revents()
            .intersects(PollFlags::RDHUP | PollFlags::HUP)
}
