//! Sends packets, many by one call.

use std::io::IoSlice;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixDatagram;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::io::Errno;
use rustix::net::{MMsgHdr, SendAncillaryBuffer, SendFlags, sendmmsg, sockopt};

use crate::payload::Packet;

/// Packets of one call.
const CALL_MAX: usize = 64;
/// What is due is sent this often.
const TICK: Duration = Duration::from_micros(100);
/// Room for what was sent and not received.
const SEND_BUFFER_BYTES: usize = 4 << 20;

/// A connected socket.
pub enum Socket {
    Unix(UnixDatagram),
    Udp(UdpSocket),
}

impl Socket {
    /// Connects to `unixgram:PATH` or `udp:ADDRESS:PORT`.
    pub fn open(to: &str) -> Result<Self> {
        let socket = match to.split_once(':') {
            Some(("unixgram", path)) => {
                let socket = UnixDatagram::unbound()?;
                socket
                    .connect(path)
                    .with_context(|| format!("cannot reach {path}"))?;
                Self::Unix(socket)
            }
            Some(("udp", address)) => {
                let address: SocketAddr = address
                    .parse()
                    .with_context(|| format!("no address: {address}"))?;
                let socket = UdpSocket::bind(if address.is_ipv4() {
                    "127.0.0.1:0"
                } else {
                    "[::1]:0"
                })?;
                socket
                    .connect(address)
                    .with_context(|| format!("cannot reach {address}"))?;
                Self::Udp(socket)
            }
            _ => bail!("--to is unixgram:PATH or udp:ADDRESS:PORT, not {to}"),
        };
        // The system gives what it may.
        sockopt::set_socket_send_buffer_size(socket.as_fd(), SEND_BUFFER_BYTES)?;
        Ok(socket)
    }

    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Unix(socket) => socket.as_fd(),
            Self::Udp(socket) => socket.as_fd(),
        }
    }
}

/// How fast and how long.
#[derive(Clone, Copy)]
pub struct Pace {
    pub packets_per_s: Option<f64>,
    pub seconds: f64,
    /// Ends there instead of after so many seconds.
    pub packets_max: Option<u64>,
}

/// What was sent.
#[derive(Default)]
pub struct Sent {
    pub packets: u64,
    pub samples: u64,
    pub bytes: u64,
    pub seconds: f64,
    /// Calls that failed because nobody listened.
    pub refused: u64,
}

/// Sends the packets in turn.
pub fn send(socket: &Socket, packets: &[Packet], pace: Pace) -> Result<Sent> {
    let slices: Vec<[IoSlice<'_>; 1]> = packets
        .iter()
        .map(|packet| [IoSlice::new(&packet.bytes)])
        .collect();
    let mut controls: Vec<SendAncillaryBuffer<'_, '_, '_>> = packets
        .iter()
        .map(|_| SendAncillaryBuffer::default())
        .collect();
    let mut headers: Vec<MMsgHdr<'_>> = slices
        .iter()
        .zip(&mut controls)
        .map(|(slice, control)| MMsgHdr::new(slice, control))
        .collect();
    let began = Instant::now();
    let mut sent = Sent::default();
    let mut at = 0;
    loop {
        let since = began.elapsed().as_secs_f64();
        let due = match due(pace, since, sent.packets) {
            None => break,
            Some(0) => {
                thread::sleep(TICK);
                continue;
            }
            Some(due) => due,
        };
        let last = headers.len().min(at + CALL_MAX.min(due as usize));
        match sendmmsg(socket.as_fd(), &mut headers[at..last], SendFlags::empty()) {
            Ok(count) => {
                for packet in &packets[at..at + count] {
                    sent.packets += 1;
                    sent.samples += packet.samples;
                    sent.bytes += packet.bytes.len() as u64;
                }
                at = (at + count) % packets.len();
            }
            // The answer to a packet before: whether the peer was there is told by its own account.
            Err(Errno::CONNREFUSED) => sent.refused += 1,
            Err(Errno::NOBUFS | Errno::INTR) => {}
            Err(errno) => return Err(errno).context("cannot send"),
        }
    }
    sent.seconds = began.elapsed().as_secs_f64();
    Ok(sent)
}

/// How many packets may be sent now; `None` when it is over.
fn due(pace: Pace, since_s: f64, sent: u64) -> Option<u64> {
    let left = match pace.packets_max {
        Some(packets) if sent >= packets => return None,
        Some(packets) => packets - sent,
        None if since_s >= pace.seconds => return None,
        None => u64::MAX,
    };
    let due = match pace.packets_per_s {
        Some(rate) => ((since_s * rate) as u64).saturating_sub(sent),
        None => u64::MAX,
    };
    Some(left.min(due))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_kept_and_an_end_is_an_end() {
        let pace = |packets_per_s, packets_max| Pace {
            packets_per_s,
            seconds: 2.0,
            packets_max,
        };
        assert_eq!(due(pace(Some(1000.0), None), 1.0, 400), Some(600));
        assert_eq!(due(pace(Some(1000.0), None), 1.0, 1_200), Some(0));
        assert_eq!(due(pace(None, None), 1.0, 1_200), Some(u64::MAX));
        assert_eq!(due(pace(None, None), 2.0, 0), None);
        assert_eq!(due(pace(None, Some(10)), 9.0, 7), Some(3));
        assert_eq!(due(pace(None, Some(10)), 0.0, 10), None);
    }
}
