//! What neither the standard library nor rustix can do: many datagrams by one call, options of sockets that they do
//! not know, and sockets that whoever started this process has opened.
//!
//! A call fills up to as many buffers as there are, each with one datagram, and says for each how long it was, whether
//! it was longer than its buffer, how many datagrams the kernel has dropped before it, and who sent it. All memory is
//! allocated once.
//!
//! The room for control messages is never larger than what was asked for takes. A client can send open files along
//! with a datagram; since there is no room for them the kernel closes them again.
#![allow(unsafe_code)]

use super::{Origin, net_of};
use std::io;
use std::mem::{MaybeUninit, size_of};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Datagrams that one call can read.
pub(super) const PACKETS_MAX: usize = 64;

/// Bytes of a control message's header: its length, its level and its type.
const CONTROL_HEAD: usize = size_of::<usize>() + 2 * size_of::<i32>();
/// Room for who sent a datagram (three words), or for the kernel's count of drops (one word): control messages are
/// as long as a multiple of the machine's words.
const SENDER_ROOM: usize = (CONTROL_HEAD + 12).next_multiple_of(size_of::<usize>());
const DROPS_ROOM: usize = (CONTROL_HEAD + 4).next_multiple_of(size_of::<usize>());

/// Numbers of options, as in `asm-generic/socket.h`.
const SO_RXQ_OVFL: libc::c_int = 40;
const SO_MEMINFO: libc::c_int = 55;

/// What is to be told along with each datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Along {
    /// Who sent it: of Unix sockets with SO_PASSCRED.
    Sender,
    /// How many were dropped: of UDP sockets with SO_RXQ_OVFL. Unix sockets drop nothing, their clients wait.
    Drops,
    /// Nothing.
    Nothing,
}

impl Along {
    fn room(self) -> usize {
        match self {
            Self::Sender => SENDER_ROOM,
            Self::Drops => DROPS_ROOM,
            Self::Nothing => 0,
        }
    }
}

/// Whether a call waits for a datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// For the first one, as long as the socket's receive timeout says; all others only if they are there.
    ForOne,
    /// For none.
    No,
}

/// One datagram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet<'b> {
    /// Its bytes, as far as the buffer goes.
    pub(super) bytes: &'b [u8],
    /// How long it was.
    pub(super) sent_bytes: usize,
    /// Who sent it, if that was asked for and is known.
    pub(super) origin: Origin,
    /// How many datagrams the kernel had dropped of this socket, modulo 2^32, if it says so.
    pub(super) drops: Option<u32>,
}

impl Packet<'_> {
    /// Whether bytes are missing.
    pub(super) fn is_truncated(&self) -> bool {
        self.sent_bytes > self.bytes.len()
    }
}

/// Room for the datagrams of one call.
pub(super) struct Packets {
    bytes: Vec<u8>,
    control: Vec<u8>,
    /// Where the kernel is to put them: a buffer in `bytes` each.
    targets: Vec<libc::iovec>,
    /// Room for the address of each sender, where that tells hosts apart.
    senders: Vec<libc::sockaddr_in6>,
    headers: Vec<libc::mmsghdr>,
    packet_bytes: usize,
    along: Along,
    received: usize,
}

impl Packets {
    /// Room for so many datagrams of so many bytes.
    pub(super) fn new(packets: usize, packet_bytes: usize, along: Along) -> Self {
        let mut room = Self {
            bytes: vec![0; packets * packet_bytes],
            control: vec![0; packets * along.room()],
            targets: Vec::with_capacity(packets),
            senders: Vec::new(),
            headers: Vec::with_capacity(packets),
            packet_bytes,
            along,
            received: 0,
        };
        for _ in 0..packets {
            room.targets.push(libc::iovec {
                iov_base: ptr::null_mut(),
                iov_len: packet_bytes,
            });
            // SAFETY: a structure of numbers and pointers, for all of which zeros are a value.
            room.headers.push(unsafe { std::mem::zeroed() });
            if along == Along::Drops {
                // SAFETY: a structure of numbers, for all of which zeros are a value.
                room.senders.push(unsafe { std::mem::zeroed() });
            }
        }
        room
    }

    /// How many datagrams a call can read.
    pub(super) fn capacity(&self) -> usize {
        self.headers.len()
    }

    /// Reads what is there and returns how many datagrams that were. Those of the call before are gone.
    pub(super) fn receive(&mut self, socket: BorrowedFd<'_>, wait: Wait) -> io::Result<usize> {
        self.received = 0;
        self.point();
        let how = match wait {
            Wait::ForOne => libc::MSG_WAITFORONE,
            Wait::No => libc::MSG_DONTWAIT,
        };
        // SAFETY: each of the headers has one target, which is a buffer of `bytes` that is as long as it says, room
        // for control messages in `control`, and none or one of `senders` for an address; all of these live and are
        // not looked at until the call returns.
        let received = unsafe {
            libc::recvmmsg(
                socket.as_raw_fd(),
                self.headers.as_mut_ptr(),
                self.headers.len() as u32,
                (how | libc::MSG_TRUNC | libc::MSG_CMSG_CLOEXEC) as _,
                ptr::null_mut(),
            )
        };
        self.received = usize::try_from(received).map_err(|_| io::Error::last_os_error())?;
        Ok(self.received)
    }

    /// Lets every header point to its own buffers, with all their room.
    fn point(&mut self) {
        let room = self.along.room();
        let buffers = self.bytes.chunks_exact_mut(self.packet_bytes);
        for ((target, header), buffer) in
            self.targets.iter_mut().zip(&mut self.headers).zip(buffers)
        {
            target.iov_base = buffer.as_mut_ptr().cast();
            header.msg_hdr.msg_iov = ptr::from_mut(target);
            header.msg_hdr.msg_iovlen = 1;
        }
        for (header, sender) in self.headers.iter_mut().zip(&mut self.senders) {
            header.msg_hdr.msg_name = ptr::from_mut(sender).cast();
            header.msg_hdr.msg_namelen = size_of::<libc::sockaddr_in6>() as libc::socklen_t;
        }
        if room == 0 {
            return;
        }
        for (header, control) in self
            .headers
            .iter_mut()
            .zip(self.control.chunks_exact_mut(room))
        {
            header.msg_hdr.msg_control = control.as_mut_ptr().cast();
            header.msg_hdr.msg_controllen = room as _;
        }
    }

    /// What the last call has read.
    pub(super) fn iter(&self) -> impl Iterator<Item = Packet<'_>> {
        let room = self.along.room();
        (0..self.received).map(move |at| {
            let header = &self.headers[at];
            let sent_bytes = header.msg_len as usize;
            let start = at * self.packet_bytes;
            let used: usize = header.msg_hdr.msg_controllen as _;
            let (mut origin, drops) = told(&self.control[at * room..][..used.min(room)]);
            origin.net = self.senders.get(at).map_or(0, net_of_sender);
            Packet {
                bytes: &self.bytes[start..][..sent_bytes.min(self.packet_bytes)],
                sent_bytes,
                origin,
                drops,
            }
        })
    }
}

/// The host that an address of the kernel's is of. Of IPv4 the address stands where IPv6 has its flow label.
fn net_of_sender(sender: &libc::sockaddr_in6) -> u64 {
    match i32::from(sender.sin6_family) {
        libc::AF_INET => net_of(Ipv4Addr::from_bits(u32::from_be(sender.sin6_flowinfo)).into()),
        libc::AF_INET6 => net_of(Ipv6Addr::from(sender.sin6_addr.s6_addr).into()),
        _ => 0,
    }
}

/// What the control message of a datagram says, of which there is at most one.
fn told(control: &[u8]) -> (Origin, Option<u32>) {
    let word = |at: usize| {
        let bytes = control.get(at..at + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    };
    let level = word(size_of::<usize>());
    let kind = word(size_of::<usize>() + 4);
    let value = |index: usize| word(CONTROL_HEAD + 4 * index);
    let is = |wanted: i32| level == Some(libc::SOL_SOCKET as u32) && kind == Some(wanted as u32);
    if is(libc::SCM_CREDENTIALS) {
        let origin = Origin {
            pid: value(0).unwrap_or(0),
            uid: value(1).unwrap_or(0),
            ..Origin::default()
        };
        return (origin, None);
    }
    let drops = if is(SO_RXQ_OVFL) { value(0) } else { None };
    (Origin::default(), drops)
}

/// Lets a socket tell with each datagram how many it has dropped.
pub(super) fn ask_for_drops(socket: BorrowedFd<'_>) -> io::Result<()> {
    let on: libc::c_int = 1;
    // SAFETY: the value is an int that lives until the call returns, and its length is that of an int.
    let failed = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            SO_RXQ_OVFL,
            ptr::from_ref(&on).cast(),
            size_of::<libc::c_int>() as libc::socklen_t,
        )
    };
    if failed != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// How many datagrams the kernel has dropped of this socket until now, modulo 2^32. Datagrams tell only of drops
/// before them: this also tells of those after the last one.
pub(super) fn drops(socket: BorrowedFd<'_>) -> io::Result<u32> {
    /// Words of SO_MEMINFO, and which of them counts drops (`linux/sock_diag.h`).
    const WORDS: usize = 9;
    const DROPS: usize = 8;
    Ok(option_words::<WORDS>(socket, SO_MEMINFO)?[DROPS])
}

/// Who is at the other end of a connected Unix socket. The process is 0 where it has no number here, since it lives
/// in another PID namespace.
pub(super) fn peer(socket: BorrowedFd<'_>) -> io::Result<Origin> {
    let [pid, uid, _] = option_words::<3>(socket, libc::SO_PEERCRED)?;
    Ok(Origin {
        pid,
        uid,
        ..Origin::default()
    })
}

/// An option of a socket that consists of words. Those that the kernel does not know are 0.
fn option_words<const N: usize>(socket: BorrowedFd<'_>, name: libc::c_int) -> io::Result<[u32; N]> {
    let mut words = [0_u32; N];
    let mut bytes = size_of_val(&words) as libc::socklen_t;
    // SAFETY: the kernel writes at most as many bytes as it is told, which is what the array has; any bytes are words.
    let failed = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            name,
            words.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    if failed != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(words)
}

/// Takes over the descriptors that this process was started with from `first` on. Only the first call gets them, all
/// further ones get none. Those that are not open are left out.
pub(super) fn take_over(first: RawFd, count: usize) -> Vec<Option<OwnedFd>> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::SeqCst) {
        return Vec::new();
    }
    (first..).take(count).map(take_over_one).collect()
}

fn take_over_one(descriptor: RawFd) -> Option<OwnedFd> {
    let mut facts = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the kernel writes one `stat`, for which there is room.
    let failed = unsafe { libc::fstat(descriptor, facts.as_mut_ptr()) };
    if failed != 0 {
        return None;
    }
    // SAFETY: it is open, and was so when the process began, so that nobody in it could have been given its number.
    // It is taken once, since each number is asked for once and all of them once.
    Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
}
