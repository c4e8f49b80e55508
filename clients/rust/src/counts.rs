//! What became of every sample.

use std::sync::atomic::{AtomicU64, Ordering};

/// Why a sample never reached the agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Its series is one that the protocol cannot carry ([`crate::Refused`]).
    Series,
    /// Its value is not finite, or an empty member of a set.
    Value,
    /// It is longer than a packet may be, or the system takes no packets of this size.
    TooLong,
    /// The agent did not keep up, and the queue was full.
    Busy,
    /// Nobody listened at the address, or was not to be reached, and the queue was full.
    Away,
    /// It was given after the client was closed.
    Closed,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Series,
        Self::Value,
        Self::TooLong,
        Self::Busy,
        Self::Away,
        Self::Closed,
    ];

    /// Its word in the tag `reason` of `hone.client.dropped`.
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

/// What became of the samples that a service gave since the client was started. When nobody is giving any,
/// `given = sent + dropped() + waiting`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Calls with a sample.
    pub given: u64,
    /// In packets that the socket took.
    pub sent: u64,
    /// In buffers and in the queue.
    pub waiting: u64,
    /// Packets that the socket took.
    pub packets: u64,
    by_reason: [u64; Reason::ALL.len()],
}

impl Counts {
    /// Dropped for this reason.
    pub fn dropped_for(&self, reason: Reason) -> u64 {
        self.by_reason[reason as usize]
    }

    /// Dropped in all.
    pub fn dropped(&self) -> u64 {
        self.by_reason.iter().sum()
    }

    /// What the client's own metrics tell the agent: samples given, and dropped by reason.
    pub(crate) fn own(&self) -> [u64; OWN] {
        let mut own = [self.given; OWN];
        own[1..].copy_from_slice(&self.by_reason);
        own
    }
}

/// The client's own metrics.
pub(crate) const OWN: usize = 1 + Reason::ALL.len();

/// Samples that were dropped.
#[derive(Default, Debug)]
pub(crate) struct Drops {
    by_reason: [AtomicU64; Reason::ALL.len()],
    /// Those among them that no shard has counted as given.
    at_once: AtomicU64,
}

impl Drops {
    /// A sample that never got into a packet.
    pub(crate) fn at_once(&self, reason: Reason) {
        self.at_once.fetch_add(1, Ordering::Relaxed);
        self.add(reason, 1);
    }

    /// Samples of a packet.
    pub(crate) fn add(&self, reason: Reason, samples: u64) {
        self.by_reason[reason as usize].fetch_add(samples, Ordering::Relaxed);
    }

    /// With these figures so far.
    pub(crate) fn read(&self, counts: &mut Counts) {
        counts.given += self.at_once.load(Ordering::Relaxed);
        for (count, dropped) in counts.by_reason.iter_mut().zip(&self.by_reason) {
            *count = dropped.load(Ordering::Relaxed);
        }
    }
}
