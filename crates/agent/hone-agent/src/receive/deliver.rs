//! Delivery from a receiver to a handler: at once on the same thread, or merged with other packets into a worker's parcel.

use super::counts::{ReceiveCounts, Received};
use super::listen::Opened;
use super::parcel::{Parcel, points};
use super::queue::Queue;
use super::worker::Work;
use super::{Handle, Origin, Protocol, TICK};
use crate::protocol::merge::Put;
use crate::wire::relay::frame::Status;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Processes whose packets can be merged at the same time. A packet of another process closes the oldest parcel.
const OPEN_MAX: usize = 16;

/// Destination of the packets of one socket, and the counts of their outcome.
pub(super) struct Delivery<H> {
    to: To<H>,
    protocol: Protocol,
    /// Number of the listener.
    listener: u16,
    counts: Arc<ReceiveCounts>,
    /// Counts not yet added to `counts`, which all threads share and which is updated only once a round.
    counted: Received,
    ticked: Instant,
}

enum To<H> {
    Here(H),
    Workers(Merger),
}

impl<H: Handle> Delivery<H> {
    /// A delivery that handles packets on the thread of their receiver.
    pub(super) fn here(handler: H, listener: usize, of: &Opened) -> Self {
        Self::to(To::Here(handler), listener, of)
    }

    /// A delivery that merges packets and hands them to workers.
    pub(super) fn to_workers(merger: Merger, listener: usize, of: &Opened) -> Self {
        Self::to(To::Workers(merger), listener, of)
    }

    fn to(to: To<H>, listener: usize, of: &Opened) -> Self {
        Self {
            to,
            protocol: of.listen.protocol,
            listener: u16::try_from(listener).unwrap_or(u16::MAX),
            counts: Arc::clone(&of.counts),
            counted: Received::default(),
            ticked: Instant::now(),
        }
    }

    /// Takes a whole packet.
    pub(super) fn packet(&mut self, packet: &[u8], origin: Origin) {
        self.packet_in(self.protocol.of(packet), packet, origin);
    }

    /// Takes a whole packet whose protocol is known.
    pub(super) fn packet_in(&mut self, protocol: Protocol, packet: &[u8], origin: Origin) {
        let origin = self.at_this_listener(origin);
        self.counted.packets += 1;
        self.counted.bytes += packet.len() as u64;
        match &mut self.to {
            To::Here(handler) => {
                handler.packet(protocol, packet, origin);
                self.counted.handled += 1;
            }
            To::Workers(merger) => merger.packet(protocol, packet, origin, &mut self.counted),
        }
    }

    /// Takes a whole frame of another agent. The frame is handled on this thread, since its sender waits for the answer; a
    /// delivery to workers refuses it.
    pub(super) fn frame(&mut self, frame: &[u8], origin: Origin) -> Status {
        let origin = self.at_this_listener(origin);
        self.counted.packets += 1;
        self.counted.bytes += frame.len() as u64;
        match &mut self.to {
            To::Here(handler) => {
                self.counted.handled += 1;
                handler.frame(frame, origin)
            }
            To::Workers(_) => {
                self.counted.dropped += 1;
                Status::Refused
            }
        }
    }

    fn at_this_listener(&self, origin: Origin) -> Origin {
        Origin {
            listener: self.listener,
            ..origin
        }
    }

    /// Counts a datagram that was longer than its buffer.
    pub(super) fn truncated(&mut self, bytes: usize) {
        self.counted.packets += 1;
        self.counted.bytes += bytes as u64;
        self.counted.truncated += 1;
    }

    /// Updates any other counter.
    pub(super) fn counted(&mut self, count: impl FnOnce(&mut Received)) {
        count(&mut self.counted);
    }

    /// Ends a round of reading. `is_all` is true if the receiver has read everything that was there.
    pub(super) fn round_over(&mut self, is_all: bool) {
        match &mut self.to {
            To::Here(handler) => {
                if self.ticked.elapsed() >= TICK {
                    handler.idle();
                    self.ticked = Instant::now();
                }
            }
            To::Workers(merger) => merger.round_over(is_all, &mut self.counted),
        }
        self.publish();
    }

    /// Returns how long the receiver may wait before the next round, or `None` for no limit. The limit is the time for which
    /// merged packets may still wait for others; it is zero if there may be more to read.
    pub(super) fn lingers(&self) -> Option<Duration> {
        match &self.to {
            To::Here(_) => None,
            To::Workers(merger) => merger.lingers(),
        }
    }

    /// Hands over the parcels that are still being filled.
    pub(super) fn end_of_rounds(&mut self) {
        if let To::Workers(merger) = &mut self.to {
            merger.hand_over_all(&mut self.counted);
        }
        self.publish();
    }

    fn publish(&mut self) {
        self.counts.add(&self.counted);
        self.counted = Received::default();
    }

    /// Returns the handler, if it was on this thread.
    pub(super) fn into_handler(self) -> Option<H> {
        match self.to {
            To::Here(handler) => Some(handler),
            To::Workers(_) => None,
        }
    }
}

/// Merges packets into parcels, one for each process at a time.
pub(super) struct Merger {
    queues: Arc<[Queue]>,
    work: Work,
    listener: usize,
    /// Number of the worker for packets whose process is unknown.
    worker_of_unknown: usize,
    /// Parcels that are being filled, the oldest first, each with the number of its worker.
    open: Vec<(usize, Parcel)>,
    /// Time since which `open` holds parcels.
    open_since: Instant,
    /// True if the last round has read everything that was there.
    has_read_all: bool,
    /// True if this round has waited for a parcel in vain. A round waits in vain only once.
    has_waited: bool,
}

impl Merger {
    /// A merger for the packets of one socket. `number` tells the sockets apart.
    pub(super) fn new(queues: Arc<[Queue]>, work: Work, listener: usize, number: usize) -> Self {
        Self {
            worker_of_unknown: number % queues.len(),
            queues,
            work,
            listener,
            open: Vec::with_capacity(OPEN_MAX),
            open_since: Instant::now(),
            has_read_all: true,
            has_waited: false,
        }
    }

    fn packet(
        &mut self,
        protocol: Protocol,
        packet: &[u8],
        origin: Origin,
        counted: &mut Received,
    ) {
        let mut open = self.open.iter_mut();
        if let Some(at) = open.position(|(_, parcel)| parcel.is_for(protocol, origin)) {
            if self.open[at].1.put(packet) == Put::Taken {
                return;
            }
            // Also if the packet goes alone: the packets before it must stay before it.
            self.hand_over(at, counted);
        }
        let worker = self.worker_of(origin);
        let Some(mut parcel) = self.free_parcel(worker, counted) else {
            counted.dropped += 1;
            counted.dropped_points += points(protocol, packet);
            return;
        };
        parcel.begin(self.listener, protocol, origin);
        let put = parcel.put(packet);
        if put != Put::Taken {
            parcel.put_alone(packet);
        }
        self.open(worker, parcel, counted);
        if put != Put::Taken {
            self.hand_over(self.open.len() - 1, counted);
        }
    }

    fn worker_of(&self, origin: Origin) -> usize {
        match origin.pid {
            0 => self.worker_of_unknown,
            pid => pid as usize % self.queues.len(),
        }
    }

    fn open(&mut self, worker: usize, parcel: Parcel, counted: &mut Received) {
        if self.open.len() == OPEN_MAX {
            self.hand_over(0, counted);
        }
        if self.open.is_empty() {
            self.open_since = Instant::now();
        }
        self.open.push((worker, parcel));
    }

    /// Returns a free parcel for a worker. Hands over all open parcels before it waits for a free one.
    fn free_parcel(&mut self, worker: usize, counted: &mut Received) -> Option<Parcel> {
        if let Some(parcel) = self.queues[worker].take_free(Duration::ZERO) {
            return Some(parcel);
        }
        self.hand_over_all(counted);
        let wait = if self.has_waited {
            Duration::ZERO
        } else {
            self.work.full_wait
        };
        let parcel = self.queues[worker].take_free(wait);
        self.has_waited |= parcel.is_none();
        parcel
    }

    fn round_over(&mut self, is_all: bool, counted: &mut Received) {
        self.has_waited = false;
        self.has_read_all = is_all;
        let may_be_open = if is_all {
            self.work.merge_wait
        } else {
            self.work.merge_wait.max(TICK)
        };
        if !self.open.is_empty() && self.open_since.elapsed() >= may_be_open {
            self.hand_over_all(counted);
        }
    }

    fn lingers(&self) -> Option<Duration> {
        if self.open.is_empty() {
            return None;
        }
        if !self.has_read_all {
            return Some(Duration::ZERO);
        }
        let waited = self.open_since.elapsed();
        Some(self.work.merge_wait.saturating_sub(waited))
    }

    fn hand_over(&mut self, at: usize, counted: &mut Received) {
        let (worker, parcel) = self.open.remove(at);
        counted.parcels += 1;
        self.queues[worker].hand_over(parcel);
    }

    fn hand_over_all(&mut self, counted: &mut Received) {
        for (worker, parcel) in self.open.drain(..) {
            counted.parcels += 1;
            self.queues[worker].hand_over(parcel);
        }
    }
}
