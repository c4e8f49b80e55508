//! Datagram sockets: how to open them, and the loop that empties a socket.
//!
//! The loop makes one system call for up to 64 datagrams. It waits within that call, for at most a tick, instead of
//! asking first whether a datagram is there: if packets come one by one, this halves the number of calls. A stop is
//! therefore noticed within a tick.
//!
//! A thread that is woken for every packet spends most of its time on being woken. After a UDP socket was emptied, its
//! thread therefore sleeps for a moment ([`Gather`]), as long as the receive buffer has room for the packets of that time.
//! Packets of Unix sockets are read at once, since their clients block as soon as a few packets are queued.
//!
//! The kernel reports its count of dropped datagrams along with each datagram. The loop also asks for the count once a
//! tick, since a datagram does not report the drops after it.

use super::counts::Received;
use super::deliver::Delivery;
use super::error::ReceiveError;
use super::inet::{self, Shared};
use super::listen::{Address, Listen};
use super::socket_file::{self, OwnFile};
use super::stop::{End, Stop};
use super::sys::{self, Along, PACKETS_MAX, Packets, Wait};
use super::{Handle, TICK};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::{AddressFamily, Shutdown, SocketFlags, SocketType, sockopt};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// Shortest time for which an emptied UDP socket gathers packets, used if many come.
const GATHER_MIN: Duration = Duration::from_millis(1);
/// Longest time for which an emptied UDP socket gathers packets, used if few come.
const GATHER_MAX: Duration = Duration::from_millis(8);
/// Receive buffer needed for each millisecond of gathering: room for a million small packets a second.
const GATHER_BUFFER_BYTES: usize = 1 << 20;

/// A datagram socket, with the state that must outlive the thread that reads from it.
#[derive(Debug)]
pub(super) struct DatagramSocket {
    pub(super) socket: OwnedFd,
    /// Last known value of the kernel's count of drops.
    drops: u32,
    along: Along,
    /// True if the socket ends with the listener. A passed socket stays open in the service manager.
    is_own: bool,
}

/// Opens all sockets of a listener.
pub(super) fn open(
    listen: &Listen,
) -> Result<(Vec<DatagramSocket>, Option<OwnFile>), ReceiveError> {
    match &listen.address {
        Address::Udp(address) => Ok((open_udp(listen, *address)?, None)),
        Address::UnixDatagram(file) => {
            let socket = inet::socket(listen, AddressFamily::UNIX, SocketFlags::empty())?;
            // The options are set before the socket has an address, so before anybody can send.
            let socket = prepared(listen, socket, true)?;
            let file = socket_file::bind(socket.socket.as_fd(), SocketType::DGRAM, file, listen)?;
            Ok((vec![socket], Some(file)))
        }
        Address::UnixStream(_) | Address::Tcp(_) => unreachable!("asked for datagrams"),
    }
}

/// Takes a socket passed by the service manager.
pub(super) fn take(listen: &Listen, socket: OwnedFd) -> Result<DatagramSocket, ReceiveError> {
    rustix::io::ioctl_fionbio(&socket, false)
        .map_err(|errno| listen.system("let its socket wait", errno.into()))?;
    prepared(listen, socket, false)
}

fn open_udp(listen: &Listen, address: SocketAddr) -> Result<Vec<DatagramSocket>, ReceiveError> {
    let mut address = address;
    if listen.shards > 1 {
        // Sockets that share an address also share it with sockets of other processes of the same user, and nobody would
        // notice. Binding a socket that does not share its address finds out whether there are any.
        let alone = inet::bound(listen, address, SocketFlags::empty(), Shared::No)?;
        address = local_address(listen, &alone)?;
    }
    let shared = if listen.shards > 1 {
        Shared::WithOthers
    } else {
        Shared::No
    };
    let mut sockets = Vec::new();
    for _ in 0..listen.shards {
        let socket = inet::bound(listen, address, SocketFlags::empty(), shared)?;
        sockets.push(prepared(listen, socket, true)?);
    }
    Ok(sockets)
}

fn local_address(listen: &Listen, socket: &OwnedFd) -> Result<SocketAddr, ReceiveError> {
    let address = rustix::net::getsockname(socket)
        .and_then(SocketAddr::try_from)
        .map_err(|errno| listen.system("learn its address", errno.into()))?;
    Ok(address)
}

/// Sets the socket options that the loop relies on.
fn prepared(
    listen: &Listen,
    socket: OwnedFd,
    is_own: bool,
) -> Result<DatagramSocket, ReceiveError> {
    set_receive_buffer(listen, &socket)?;
    sockopt::set_socket_timeout(&socket, sockopt::Timeout::Recv, Some(TICK))
        .map_err(|errno| listen.system("set the timeout of its socket", errno.into()))?;
    let along = if !listen.address.is_unix() {
        sys::ask_for_drops(socket.as_fd())
            .map_err(|error| listen.system("ask for the kernel's drops", error))?;
        Along::Drops
    } else if listen.credentials {
        sockopt::set_socket_passcred(&socket, true)
            .map_err(|errno| listen.system("ask for the senders of datagrams", errno.into()))?;
        Along::Sender
    } else {
        Along::Nothing
    };
    Ok(DatagramSocket {
        socket,
        drops: 0,
        along,
        is_own,
    })
}

/// Sets the size of the receive buffer, beyond the system's limit if this process may exceed the limit.
pub(super) fn set_receive_buffer(listen: &Listen, socket: impl AsFd) -> Result<(), ReceiveError> {
    let socket = socket.as_fd();
    let Some(bytes) = listen.receive_buffer_bytes else {
        return Ok(());
    };
    // The kernel takes an int and doubles it.
    let bytes = bytes.min(i32::MAX as usize / 2);
    sockopt::set_socket_recv_buffer_size_force(socket, bytes)
        .or_else(|_| sockopt::set_socket_recv_buffer_size(socket, bytes))
        .map_err(|errno| listen.system("set its receive buffer", errno.into()))
}

/// Receives until an end is requested.
pub(super) fn receive<H: Handle>(
    source: &mut DatagramSocket,
    packet_bytes_max: usize,
    delivery: &mut Delivery<H>,
    stop: &Stop,
) {
    let mut packets = Packets::new(PACKETS_MAX, packet_bytes_max, source.along);
    let mut looked = Instant::now();
    let mut gather = Gather::new(source);
    let end = loop {
        if let Some(end) = stop.asked() {
            break end;
        }
        let wait = match delivery.lingers() {
            Some(Duration::ZERO) => Wait::No,
            Some(left) => {
                wait_for_more(source, left.min(TICK));
                Wait::No
            }
            None => Wait::ForOne,
        };
        let read = round(source, &mut packets, delivery, wait);
        if let (Some(gather), Some(read), Wait::ForOne) = (&mut gather, read, wait) {
            std::thread::sleep(gather.after(read.packets, packets.capacity()));
        }
        if looked.elapsed() >= TICK {
            looked = Instant::now();
            look_for_drops(source, delivery);
        }
    };
    if end == End::Drained {
        drain(source, &mut packets, delivery);
    }
    look_for_drops(source, delivery);
    delivery.end_of_rounds();
}

/// Time for which packets gather in an emptied socket. The time doubles while few packets come, as far as the buffer has
/// room, and falls back to the minimum when a call has read as many packets as it can.
struct Gather {
    now: Duration,
    longest: Duration,
}

impl Gather {
    /// Gathering for a UDP socket with a large enough receive buffer; `None` for other sockets.
    fn new(source: &DatagramSocket) -> Option<Self> {
        // The kernel reports twice the room for packets.
        let doubled = sockopt::socket_recv_buffer_size(&source.socket).unwrap_or(0);
        let room = (doubled / 2 / GATHER_BUFFER_BYTES).min(GATHER_MAX.as_millis() as usize);
        (source.along == Along::Drops && room > 0).then_some(Self {
            now: GATHER_MIN,
            longest: GATHER_MIN * room as u32,
        })
    }

    /// Returns the time to sleep after a call that has read `packets` of at most `capacity` packets.
    fn after(&mut self, packets: usize, capacity: usize) -> Duration {
        if packets == capacity {
            // More packets may be waiting, possibly many.
            self.now = GATHER_MIN;
            return Duration::ZERO;
        }
        if packets <= capacity / 4 {
            self.now = (self.now * 2).min(self.longest);
        }
        self.now
    }
}

/// Waits for a datagram, at most for `left`: the time for which merged packets may still wait for others.
fn wait_for_more(source: &DatagramSocket, left: Duration) {
    let timeout = Timespec {
        tv_sec: left.as_secs() as i64,
        tv_nsec: i64::from(left.subsec_nanos()),
    };
    let mut sockets = [PollFd::new(&source.socket, PollFlags::IN)];
    // The result does not matter: the round finds out what is there.
    let _ = rustix::event::poll(&mut sockets, Some(&timeout));
}

/// Packets and bytes that a round has read.
struct Read {
    packets: usize,
    bytes: usize,
}

/// Makes one call and delivers the packets that it has read. Returns `None` if no packet was there.
fn round<H: Handle>(
    source: &mut DatagramSocket,
    packets: &mut Packets,
    delivery: &mut Delivery<H>,
    wait: Wait,
) -> Option<Read> {
    let received = match packets.receive(source.socket.as_fd(), wait) {
        Ok(received) => received,
        Err(error) => {
            let is_usual = [ErrorKind::WouldBlock, ErrorKind::Interrupted].contains(&error.kind());
            if !is_usual {
                delivery.counted(|counts| counts.errors += 1);
                // Without the sleep, a lasting error would take a whole CPU.
                std::thread::sleep(TICK);
            }
            delivery.round_over(true);
            return None;
        }
    };
    let mut bytes = 0;
    for packet in packets.iter() {
        bytes += packet.sent_bytes;
        if let Some(now) = packet.drops {
            delivery.counted(|counts| count_drops(&mut source.drops, now, counts));
        }
        if packet.is_truncated() {
            delivery.truncated(packet.sent_bytes);
        } else {
            delivery.packet(packet.bytes, packet.origin);
        }
    }
    let is_all = received < packets.capacity();
    delivery.round_over(is_all);
    (received > 0).then_some(Read {
        packets: received,
        bytes,
    })
}

/// Receives the datagrams that are in the socket when the drain begins. A Unix socket that the listener owns is first closed
/// to its clients, so it runs empty. Clients of other sockets can go on sending: at most as many bytes are read as the
/// receive buffer has room for.
fn drain<H: Handle>(
    source: &mut DatagramSocket,
    packets: &mut Packets,
    delivery: &mut Delivery<H>,
) {
    let is_unix = source.along != Along::Drops;
    let is_closed =
        is_unix && source.is_own && rustix::net::shutdown(&source.socket, Shutdown::Read).is_ok();
    let room = sockopt::socket_recv_buffer_size(&source.socket).unwrap_or(0);
    let mut read = 0;
    while let Some(round) = round(source, packets, delivery, Wait::No) {
        // Every datagram takes some room, even an empty one.
        read += round.bytes.max(1);
        if !is_closed && read >= room {
            return;
        }
    }
}

fn look_for_drops<H: Handle>(source: &mut DatagramSocket, delivery: &mut Delivery<H>) {
    if source.along != Along::Drops {
        return;
    }
    if let Ok(now) = sys::drops(source.socket.as_fd()) {
        delivery.counted(|counts| count_drops(&mut source.drops, now, counts));
    }
}

/// Counts new drops. The kernel's count wraps at 2^32, and the count in a datagram can be older than the known one.
fn count_drops(known: &mut u32, now: u32, counts: &mut Received) {
    let more = now.wrapping_sub(*known);
    if more <= u32::MAX / 2 {
        counts.kernel_drops += u64::from(more);
        *known = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_gather_longer_where_few_come_and_as_far_as_there_is_room() {
        let ms = Duration::from_millis;
        let mut gather = Gather {
            now: GATHER_MIN,
            longest: ms(3),
        };
        let few = [gather.after(1, 64), gather.after(16, 64)];
        assert_eq!(few, [ms(2), ms(3)]);
        assert_eq!(gather.after(63, 64), ms(3));
        assert_eq!(gather.after(64, 64), Duration::ZERO);
        assert_eq!(gather.after(63, 64), GATHER_MIN);
        assert_eq!(gather.after(1, 64), ms(2));
    }

    #[test]
    fn the_count_of_drops_goes_round_and_never_back() {
        let mut counts = Received::default();
        let mut known = u32::MAX - 1;
        count_drops(&mut known, 3, &mut counts);
        assert_eq!((known, counts.kernel_drops), (3, 5));
        count_drops(&mut known, 1, &mut counts);
        assert_eq!((known, counts.kernel_drops), (3, 5));
        count_drops(&mut known, 4, &mut counts);
        assert_eq!((known, counts.kernel_drops), (4, 6));
    }
}
