//! Counts of samples: given, sent, waiting, and dropped by reason.

use std::sync::atomic::{AtomicU64, Ordering};

/// Reason why a sample never reached the agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The protocol cannot carry the series of the sample ([`crate::Refused`]).
    Series,
    /// The value is not finite, or is an empty member of a set.
    Value,
    /// The sample is longer than a packet may be, or the system takes no packets of this size.
    TooLong,
    /// The agent did not keep up, and the queue was full.
    Busy,
    /// No agent listened at the address, or the agent could not be reached, and the queue was full.
    Away,
    /// The sample was given after the client was closed.
    Closed,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 6] = [
        Self::Series,
        Self::Value,
        Self::TooLong,
        Self::Busy,
        Self::Away,
        Self::Closed,
    ];

    /// Returns the word in the tag `reason` of `hone.client.dropped`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Series => "series",
            Self::Value => "value",
            Self::TooLong => "too_long",
            Self::Busy => "busy",
            Self::Away => "away",
            Self::Closed => "closed",
        }
    }
}

/// Counts of the samples that a service gave since the client was started. While no sample is being given,
/// `given = sent + dropped() + waiting`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Number of calls with a sample.
    pub given: u64,
    /// Number of samples in packets that the socket took.
    pub sent: u64,
    /// Number of samples in buffers and in the queue.
    pub waiting: u64,
    /// Number of packets that the socket took.
    pub packets: u64,
    by_reason: [u64; Reason::ALL.len()],
}

impl Counts {
    /// Returns the number of samples dropped for this reason.
    pub fn dropped_for(&self, reason: Reason) -> u64 {
        self.by_reason[reason as usize]
    }

    /// Returns the number of all dropped samples.
    pub fn dropped(&self) -> u64 {
        self.by_reason.iter().sum()
    }

    /// Returns the values of the client's own metrics: samples given, and dropped by reason.
    pub(crate) fn own(&self) -> [u64; OWN] {
        let mut own = [self.given; OWN];
        own[1..].copy_from_slice(&self.by_reason);
        own
    }
}

/// Number of the client's own metrics.
pub(crate) const OWN: usize = 1 + Reason::ALL.len();

/// Counters of dropped samples.
#[derive(Default, Debug)]
pub(crate) struct Drops {
    by_reason: [AtomicU64; Reason::ALL.len()],
    /// Dropped samples that no shard has counted as given.
    at_once: AtomicU64,
}

impl Drops {
    /// Counts a sample that never got into a packet.
    pub(crate) fn at_once(&self, reason: Reason) {
        self.at_once.fetch_add(1, Ordering::Relaxed);
        self.add(reason, 1);
    }

    /// Counts the samples of a packet.
    pub(crate) fn add(&self, reason: Reason, samples: u64) {
        self.by_reason[reason as usize].fetch_add(samples, Ordering::Relaxed);
    }

    /// Adds the figures so far to `counts`.
    pub(crate) fn read(&self, counts: &mut Counts) {
        counts.given += self.at_once.load(Ordering::Relaxed);
        for (count, dropped) in counts.by_reason.iter_mut().zip(&self.by_reason) {
            *count = dropped.load(Ordering::Relaxed);
        }
    }
}
