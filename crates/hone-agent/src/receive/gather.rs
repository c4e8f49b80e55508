//! How long packets may gather in a socket that was emptied. To be woken costs more than to read a packet, so a thread that
//! leaves its socket alone for a moment is woken for several at once.
//!
//! A UDP socket drops what finds no room: it is left alone as long as its buffer is sure to have some, up to milliseconds.
//! At a Unix socket clients wait where a few packets are there (`net.unix.max_dgram_qlen`, 10 by default), or get `EAGAIN`:
//! it is left alone no longer than a thread takes to wake up on a busy machine, and only while several packets come in that
//! time.

use super::sys::Along;
use rustix::net::sockopt;
use std::fs;
use std::num::NonZeroU64;
use std::os::fd::AsFd;
use std::time::Duration;

/// How long the packets of an emptied UDP socket gather where many come.
const UDP_MIN: Duration = Duration::from_millis(1);
/// How long they may where few do.
const UDP_MAX: Duration = Duration::from_millis(8);
/// What a receive buffer must have for each millisecond of that: room for a million small packets a second.
const UDP_BUFFER_BYTES: usize = 1 << 20;
/// The same of a Unix socket.
const UNIX_MIN: Duration = Duration::from_micros(10);
const UNIX_MAX: Duration = Duration::from_micros(80);
/// Calls without a wait after one that was in vain, at most.
const UNIX_PAUSE_MAX: u32 = 256;
/// The length of a Unix socket's queue, where the system does not say.
const UNIX_QUEUE: usize = 10;

/// See the module.
#[derive(Debug)]
pub(super) enum Gather {
    Udp {
        now: Duration,
        longest: Duration,
    },
    Unix(Unix),
    /// Not at all.
    Never,
}

impl Gather {
    /// For the thread that reads this socket and is told this along with its datagrams.
    pub(super) fn of(socket: impl AsFd, along: Along) -> Self {
        if along != Along::Drops {
            // By default a thread may be woken up to 50 us late, which is as long as all of this.
            return match rustix::thread::set_current_timer_slack(NonZeroU64::new(1)) {
                Ok(()) => Self::Unix(Unix::new(queue())),
                Err(_) => Self::Never,
            };
        }
        // The kernel says twice what is there for packets.
        let doubled = sockopt::socket_recv_buffer_size(socket).unwrap_or(0);
        let room = (doubled / 2 / UDP_BUFFER_BYTES).min(UDP_MAX.as_millis() as usize);
        match room {
            0 => Self::Never,
            room => Self::Udp {
                now: UDP_MIN,
                longest: UDP_MIN * room as u32,
            },
        }
    }

    /// How long after a call that has read so many packets of those that it can read.
    pub(super) fn after(&mut self, packets: usize, capacity: usize) -> Duration {
        match self {
            Self::Never => Duration::ZERO,
            Self::Unix(unix) => unix.after(packets),
            // There may be more, which may be many.
            Self::Udp { now, .. } if packets == capacity => {
                *now = UDP_MIN;
                Duration::ZERO
            }
            Self::Udp { now, longest } => {
                if packets <= capacity / 4 {
                    *now = (*now * 2).min(*longest);
                }
                *now
            }
        }
    }
}

/// How many packets wait in a Unix socket that is opened now.
fn queue() -> usize {
    let said = fs::read_to_string("/proc/sys/net/unix/max_dgram_qlen").unwrap_or_default();
    said.trim().parse().unwrap_or(UNIX_QUEUE)
}

/// How long the packets of a Unix socket gather: so long that its queue is about half full.
#[derive(Debug)]
pub(super) struct Unix {
    queue: usize,
    now: Duration,
    /// Whether there was a wait before the last call.
    has_waited: bool,
    /// Calls until there is one again, and how many there are after the next one that is in vain.
    pause: u32,
    next_pause: u32,
}

impl Unix {
    fn new(queue: usize) -> Self {
        Self {
            queue,
            now: UNIX_MIN,
            has_waited: false,
            pause: 0,
            next_pause: 1,
        }
    }

    fn after(&mut self, packets: usize) -> Duration {
        let has_waited = std::mem::take(&mut self.has_waited);
        if packets >= self.queue {
            // Clients wait, and there is more by now: nothing is gained by another wait.
            self.now = (self.now / 2).max(UNIX_MIN);
            return Duration::ZERO;
        }
        if has_waited && packets <= 1 {
            self.pause = self.next_pause;
            self.next_pause = (self.next_pause * 2).min(UNIX_PAUSE_MAX);
        } else if has_waited {
            self.next_pause = 1;
            if packets <= self.queue / 4 {
                self.now = (self.now * 2).min(UNIX_MAX);
            }
        }
        if self.pause > 0 {
            self.pause -= 1;
            return Duration::ZERO;
        }
        self.has_waited = true;
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_gather_longer_where_few_come_and_as_far_as_there_is_room() {
        let ms = Duration::from_millis;
        let mut gather = Gather::Udp {
            now: UDP_MIN,
            longest: ms(3),
        };
        let few = [gather.after(1, 64), gather.after(16, 64)];
        assert_eq!(few, [ms(2), ms(3)]);
        assert_eq!(gather.after(63, 64), ms(3));
        assert_eq!(gather.after(64, 64), Duration::ZERO);
        assert_eq!(gather.after(63, 64), UDP_MIN);
        assert_eq!(gather.after(1, 64), ms(2));
    }

    #[test]
    fn a_unix_socket_is_left_alone_until_its_queue_is_half_full_and_never_longer_than_it_pays() {
        let mut gather = Unix::new(10);
        let waits = |gather: &mut Unix, packets: usize, calls: usize| {
            let waits = (0..calls).map(|_| gather.after(packets));
            waits.collect::<Vec<_>>()
        };
        // Some packets come in the time, then more.
        let us = Duration::from_micros;
        assert_eq!(
            waits(&mut gather, 2, 5),
            [us(10), us(20), us(40), us(80), us(80)]
        );
        assert_eq!(waits(&mut gather, 5, 2), [us(80); 2]);
        // Its clients wait.
        assert_eq!(waits(&mut gather, 11, 4), [Duration::ZERO; 4]);
        assert_eq!(waits(&mut gather, 5, 1), [us(10)]);
        // One at a time: a wait is in vain, and is tried ever less often.
        let waits = waits(&mut gather, 1, 100_000);
        let tried = waits.iter().filter(|wait| !wait.is_zero()).count();
        assert!((300..500).contains(&tried), "{tried}");
        assert!(waits.iter().all(|wait| *wait <= UNIX_MAX));
    }
}
