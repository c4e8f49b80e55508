//! Full packets on their way to the socket: in order, in a bounded queue, and without blocking.

use crate::counts::{Counts, Drops, OWN, Reason};
use crate::packet::Packet;
use crate::shared::lock;
use crate::socket::{Outcome, Socket};
use std::collections::VecDeque;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// Maximum number of packets that a thread of the service sends when it has filled one: that packet, and one that waited.
const AT_ONCE: usize = 2;

#[derive(Debug)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    /// Condition that the flusher waits for.
    pub(crate) wake: Condvar,
    socket: Socket,
    packet_bytes: usize,
    queue_packets: usize,
    /// Id of the process that owns the outbox; a forked child sends nothing, since it would send packets twice.
    process: u32,
    pub(crate) drops: Drops,
    /// Values that the client's own metrics have reported to the agent.
    pub(crate) told: [AtomicU64; OWN],
}

#[derive(Default, Debug)]
pub(crate) struct Queue {
    waiting: VecDeque<Packet>,
    free: Vec<Packet>,
    sent: u64,
    packets: u64,
    /// Reason why the socket did not take the first waiting packet.
    refusal: Option<Reason>,
    pub(crate) is_closing: bool,
}

impl Queue {
    /// Returns true if packets wait for the agent.
    pub(crate) fn is_held_up(&self) -> bool {
        self.refusal.is_some() && !self.waiting.is_empty()
    }

    /// Returns true if packets wait for an agent that runs but is busy.
    pub(crate) fn is_held_up_by_a_busy_agent(&self) -> bool {
        self.refusal == Some(Reason::Busy) && !self.waiting.is_empty()
    }
}

impl Outbox {
    pub(crate) fn new(socket: Socket, packet_bytes: usize, queue_packets: usize) -> Self {
        Self {
            queue: Mutex::default(),
            wake: Condvar::new(),
            socket,
            packet_bytes,
            queue_packets,
            process: process::id(),
            drops: Drops::default(),
            told: Default::default(),
        }
    }

    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == process::id()
    }

    pub(crate) fn queue(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }

    /// Takes the content of a packet and leaves an empty packet in its place.
    pub(crate) fn take(&self, packet: &mut Packet) {
        if !self.is_of_this_process() {
            self.drops.add(Reason::Closed, packet.samples);
            packet.clear();
            return;
        }
        let mut queue = self.queue();
        let empty = queue.free.pop();
        let empty = empty.unwrap_or_else(|| Packet::new(self.packet_bytes));
        queue.waiting.push_back(packet.exchange(empty));
        let was_held_up = queue.is_held_up();
        self.send(&mut queue, AT_ONCE);
        while queue.waiting.len() > self.queue_packets {
            let reason = queue.refusal.unwrap_or(Reason::Busy);
            self.drop_first(&mut queue, reason);
        }
        if queue.is_held_up() && !was_held_up {
            self.wake.notify_one();
        }
    }

    /// Sends waiting packets as long as the socket takes them, at most this many.
    pub(crate) fn send(&self, queue: &mut Queue, packets_max: usize) {
        for _ in 0..packets_max {
            let Some(first) = queue.waiting.front_mut() else {
                return;
            };
            match self.socket.send(first.finished()) {
                Outcome::Taken => {
                    queue.refusal = None;
                    queue.sent += first.samples;
                    queue.packets += 1;
                    self.recycle_first(queue);
                }
                Outcome::TooLong => self.drop_first(queue, Reason::TooLong),
                Outcome::Busy => {
                    queue.refusal = Some(Reason::Busy);
                    return;
                }
                Outcome::Away => {
                    queue.refusal = Some(Reason::Away);
                    return;
                }
            }
        }
    }

    /// Sends waiting packets as long as the socket takes them. The lock is not held from one packet to the next.
    pub(crate) fn send_all(&self) {
        for _ in 0..=self.queue_packets {
            let mut queue = self.queue();
            self.send(&mut queue, 1);
            if queue.waiting.is_empty() || queue.is_held_up() {
                return;
            }
        }
    }

    /// Drops all waiting packets when the client ends.
    pub(crate) fn give_up(&self) {
        let mut queue = self.queue();
        let reason = queue.refusal.unwrap_or(Reason::Busy);
        while !queue.waiting.is_empty() {
            self.drop_first(&mut queue, reason);
        }
    }

    fn drop_first(&self, queue: &mut Queue, reason: Reason) {
        if let Some(first) = queue.waiting.front() {
            self.drops.add(reason, first.samples);
            // The values in the client's own points are reported again.
            for (told, lost) in self.told.iter().zip(first.own) {
                told.fetch_sub(lost, Ordering::Relaxed);
            }
        }
        self.recycle_first(queue);
    }

    fn recycle_first(&self, queue: &mut Queue) {
        if let Some(mut packet) = queue.waiting.pop_front() {
            packet.clear();
            queue.free.push(packet);
        }
    }

    pub(crate) fn read(&self, counts: &mut Counts) {
        let queue = self.queue();
        counts.sent = queue.sent;
        counts.packets = queue.packets;
        counts.waiting += queue
            .waiting
            .iter()
            .map(|packet| packet.samples)
            .sum::<u64>();
        self.drops.read(counts);
    }
}
