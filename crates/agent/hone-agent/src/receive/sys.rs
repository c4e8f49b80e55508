//! System calls that neither the standard library nor rustix offers: reading many datagrams by one call, some socket
//! options, and taking over sockets that were opened before this process started.
//!
//! A call fills up to as many buffers as there are, each with one datagram. It reports the length of each datagram, whether
//! the datagram was longer than its buffer, the number of datagrams that the kernel has dropped before, and the sender.
//! All memory is allocated once.
//!
//! The room for control messages is never larger than the requested messages need. A client can send open files along with
//! a datagram; since there is no room for the files, the kernel closes them again.
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
/// Room for the sender of a datagram (three 32-bit words), or for the kernel's count of drops (one 32-bit word). The length
/// of a control message is a multiple of the machine's word.
const SENDER_ROOM: usize = (CONTROL_HEAD + 12).next_multiple_of(size_of::<usize>());
const DROPS_ROOM: usize = (CONTROL_HEAD + 4).next_multiple_of(size_of::<usize>());

/// Numbers of socket options, as in `asm-generic/socket.h`.
const SO_RXQ_OVFL: libc::c_int = 40;
const SO_MEMINFO: libc::c_int = 55;

/// Information requested along with each datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Along {
    /// Sender of the datagram: for Unix sockets with SO_PASSCRED.
    Sender,
    /// Number of dropped datagrams: for UDP sockets with SO_RXQ_OVFL. Unix sockets drop nothing; their clients wait.
    Drops,
    /// No information.
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

/// Waiting of a call for datagrams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Waits for the first datagram, at most for the socket's receive timeout; reads others only if they are there.
    ForOne,
    /// Does not wait.
    No,
}

/// A received datagram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet<'b> {
    /// Bytes of the datagram, cut off at the size of the buffer.
    pub(super) bytes: &'b [u8],
    /// Length of the datagram as it was sent.
    pub(super) sent_bytes: usize,
    /// Sender, if requested and known.
    pub(super) origin: Origin,
    /// Number of datagrams that the kernel had dropped from this socket, modulo 2^32, if reported.
    pub(super) drops: Option<u32>,
}

impl Packet<'_> {
    /// Returns true if the end of the datagram is missing.
    pub(super) fn is_truncated(&self) -> bool {
        self.sent_bytes > self.bytes.len()
    }
}

/// Room for the datagrams of one call.
pub(super) struct Packets {
    bytes: Vec<u8>,
    control: Vec<u8>,
    /// Targets for the kernel: a buffer in `bytes` for each datagram.
    targets: Vec<libc::iovec>,
    /// Room for the address of each sender, if the address tells hosts apart.
    senders: Vec<libc::sockaddr_in6>,
    headers: Vec<libc::mmsghdr>,
    packet_bytes: usize,
    along: Along,
    received: usize,
}

impl Packets {
    /// Room for `packets` datagrams of `packet_bytes` bytes each.
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
            // SAFETY: `mmsghdr` consists of numbers and pointers, for all of which zero is a valid value.
            room.headers.push(unsafe { std::mem::zeroed() });
            if along == Along::Drops {
                // SAFETY: `sockaddr_in6` consists of numbers, for all of which zero is a valid value.
                room.senders.push(unsafe { std::mem::zeroed() });
            }
        }
        room
    }

    /// Returns the number of datagrams that a call can read.
    pub(super) fn capacity(&self) -> usize {
        self.headers.len()
    }

    /// Reads the datagrams that are there and returns their number. Datagrams of the call before are gone.
    pub(super) fn receive(&mut self, socket: BorrowedFd<'_>, wait: Wait) -> io::Result<usize> {
        self.received = 0;
        self.point();
        let how = match wait {
            Wait::ForOne => libc::MSG_WAITFORONE,
            Wait::No => libc::MSG_DONTWAIT,
        };
        // SAFETY: each of the headers has one target, which is a buffer of `bytes` as long as the target says, room for
        // control messages in `control`, and none or one of `senders` for an address; all of these live and are not
        // accessed until the call returns.
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

    /// Points every header to its own buffers, at their full size.
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

    /// Returns the datagrams that the last call has read.
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

/// Returns the network of a sender's address. An IPv4 address lies where IPv6 has its flow label.
fn net_of_sender(sender: &libc::sockaddr_in6) -> u64 {
    match i32::from(sender.sin6_family) {
        libc::AF_INET => net_of(Ipv4Addr::from_bits(u32::from_be(sender.sin6_flowinfo)).into()),
        libc::AF_INET6 => net_of(Ipv6Addr::from(sender.sin6_addr.s6_addr).into()),
        _ => 0,
    }
}

/// Parses the control message of a datagram, of which there is at most one.
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

/// Makes a socket report with each datagram how many datagrams it has dropped.
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

/// Returns the number of datagrams that the kernel has dropped from this socket so far, modulo 2^32. Datagrams report only
/// the drops before them; this count includes the drops after the last datagram.
pub(super) fn drops(socket: BorrowedFd<'_>) -> io::Result<u32> {
    /// Number of words of SO_MEMINFO, and index of the word that counts drops (`linux/sock_diag.h`).
    const WORDS: usize = 9;
    const DROPS: usize = 8;
    Ok(option_words::<WORDS>(socket, SO_MEMINFO)?[DROPS])
}

/// Returns the process at the other end of a connected Unix socket. The process id is 0 if the process lives in another PID
/// namespace and has no id here.
pub(super) fn peer(socket: BorrowedFd<'_>) -> io::Result<Origin> {
    let [pid, uid, _] = option_words::<3>(socket, libc::SO_PEERCRED)?;
    Ok(Origin {
        pid,
        uid,
        ..Origin::default()
    })
}

/// Reads a socket option that consists of words. Words that the kernel does not know are 0.
fn option_words<const N: usize>(socket: BorrowedFd<'_>, name: libc::c_int) -> io::Result<[u32; N]> {
    let mut words = [0_u32; N];
    let mut bytes = size_of_val(&words) as libc::socklen_t;
    // SAFETY: the kernel writes at most `bytes` bytes, which is the size of the array; any bytes are valid words.
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

/// Takes over `count` descriptors from `first` on, with which this process was started. Only the first call returns
/// descriptors; all further calls return none. A descriptor that is not open gives `None`.
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
    // SAFETY: the descriptor is open, and was open when the process began, so no code in this process could have been given
    // its number. It is taken only once, since each number is visited once, and all of them by one call only.
    Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
}
