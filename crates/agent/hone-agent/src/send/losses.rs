//! Outcome of one endpoint: counters of delivered, lost and queued points.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reasons why points were lost on their way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The queue was full and these points were the oldest, or a parcel alone was larger than the queue.
    QueueFull,
    /// The disk queue could not be written, and there was no room in memory for the points.
    Disk,
    /// The points are damaged in the disk queue.
    Damaged,
    /// The back end refused the points: a status 3xx or 4xx other than 429.
    Refused,
    /// The back end does not speak this protocol.
    NotUnderstood,
    /// The points could not be compressed.
    Compression,
    /// The agent stopped before the points could be sent, and they were on no disk.
    Stopped,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::QueueFull,
        Self::Disk,
        Self::Damaged,
        Self::Refused,
        Self::NotUnderstood,
        Self::Compression,
        Self::Stopped,
    ];

    /// Returns a word for the reason, as the value of a label.
    pub fn word(self) -> &'static str {
        match self {
            Self::QueueFull => "queue_full",
            Self::Disk => "disk",
            Self::Damaged => "damaged",
            Self::Refused => "refused",
            Self::NotUnderstood => "not_understood",
            Self::Compression => "compression",
            Self::Stopped => "stopped",
        }
    }
}

/// Points lost, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    points: [u64; Reason::ALL.len()],
}

impl Losses {
    /// Returns the points lost for one reason.
    pub fn of(&self, reason: Reason) -> u64 {
        self.points[reason as usize]
    }

    /// Returns the points lost for all reasons.
    pub fn total(&self) -> u64 {
        self.points.iter().sum()
    }
}

/// Counters of an endpoint, in points unless another unit is named.
/// `accepted + restored = delivered + losses.total() + queued`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Points given to the endpoint since it started.
    pub accepted: u64,
    /// Points found in the disk queue at the start.
    pub restored: u64,
    /// Points that the back end has.
    pub delivered: u64,
    /// Delivered points that were converted to an older format, since the back end refused their own.
    pub fell_back: u64,
    /// Points lost, by reason.
    pub losses: Losses,
    /// Points that wait, including the parcel under way.
    pub queued: u64,
    /// Bytes of the queue.
    pub queued_bytes: u64,
    /// Attempts to deliver a parcel.
    pub attempts: u64,
    /// Attempts that failed and will be repeated.
    pub retries: u64,
    /// Bytes of the bodies that were delivered.
    pub delivered_bytes: u64,
    /// Records of the disk queue that a crash cut short. The process after the crash does not count their points.
    pub torn_records: u64,
    /// Points that the disk queue could not take when they came: they waited in memory.
    pub unwritten: u64,
    /// Reason why the disk queue cannot be written now, and advice, for people.
    pub queue_trouble: Option<String>,
    /// Last event that was not a delivery, for people.
    pub last_error: Option<String>,
}

impl Outcome {
    /// Adds the outcome of an earlier life of the same endpoint, whose disk queue this one took over.
    pub fn after(mut self, before: &Self) -> Self {
        self.accepted += before.accepted;
        // Points that were queued then had been counted when they came.
        self.restored = (self.restored + before.restored).saturating_sub(before.queued);
        self.delivered += before.delivered;
        self.fell_back += before.fell_back;
        for (now, before) in self.losses.points.iter_mut().zip(before.losses.points) {
            *now += before;
        }
        self.attempts += before.attempts;
        self.retries += before.retries;
        self.delivered_bytes += before.delivered_bytes;
        self.torn_records += before.torn_records;
        self.unwritten += before.unwritten;
        self
    }
}

/// Counters that the sender's thread and its owner write.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) accepted: AtomicU64,
    pub(super) restored: AtomicU64,
    pub(super) delivered: AtomicU64,
    pub(super) fell_back: AtomicU64,
    pub(super) attempts: AtomicU64,
    pub(super) retries: AtomicU64,
    pub(super) delivered_bytes: AtomicU64,
    pub(super) torn_records: AtomicU64,
    lost: [AtomicU64; Reason::ALL.len()],
    last_error: Mutex<Option<String>>,
}

impl Counters {
    pub(super) fn lose(&self, reason: Reason, points: u64) {
        add(&self.lost[reason as usize], points);
    }

    pub(super) fn complain(&self, why: String) {
        *self.last_error.lock().expect("nobody panics with it") = Some(why);
    }

    /// Returns the counters. The caller holds the queue and passes in its points and bytes.
    pub(super) fn outcome(&self, queued: u64, queued_bytes: u64) -> Outcome {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Outcome {
            accepted: get(&self.accepted),
            restored: get(&self.restored),
            delivered: get(&self.delivered),
            fell_back: get(&self.fell_back),
            losses: Losses {
                points: std::array::from_fn(|reason| get(&self.lost[reason])),
            },
            queued,
            queued_bytes,
            attempts: get(&self.attempts),
            retries: get(&self.retries),
            delivered_bytes: get(&self.delivered_bytes),
            torn_records: get(&self.torn_records),
            last_error: self.last_error.lock().expect("as above").clone(),
            ..Outcome::default()
        }
    }
}

pub(super) fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives_of_an_endpoint_add_up_and_what_waited_on_disk_counts_once() {
        let before = Outcome {
            accepted: 10,
            delivered: 6,
            queued: 4,
            ..Outcome::default()
        };
        let now = Outcome {
            accepted: 5,
            restored: 4,
            delivered: 8,
            queued: 1,
            ..Outcome::default()
        };
        let all = now.after(&before);
        assert_eq!((all.accepted, all.restored, all.delivered), (15, 0, 14));
        assert_eq!(all.accepted + all.restored, all.delivered + all.queued);
    }
}
