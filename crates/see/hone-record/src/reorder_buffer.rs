//! Records that wait until no older record can come, and are then handed out in the order of time.

use crate::record_bytes as bytes;
use hone_profile::Avma;
use hone_profile::perf_data::{Mmap2, WalkedBranch};
use std::ops::Range;

/// A sample made by the recorder itself.
pub(crate) struct OwnSample {
    pub(crate) event: usize,
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) cpu: u32,
    pub(crate) ip: Avma,
    pub(crate) time_ns: u64,
    pub(crate) period: u64,
    pub(crate) call_chain: Vec<Avma>,
    /// Branches, newest first.
    pub(crate) branches: Vec<WalkedBranch>,
}

/// A record that the recorder itself has made.
pub(crate) enum Made {
    Mapping(Mmap2),
    Comm {
        pid: i32,
        tid: i32,
        name: String,
        exec: bool,
    },
    Sample(OwnSample),
}

enum Record {
    /// Place of a record of the kernel among the bytes: memory for each would cost more than all else that is done with it.
    Kernel(Range<usize>),
    Made(Box<Made>),
}

/// Records that wait.
#[derive(Default)]
pub(crate) struct Waiting {
    records: Vec<(u64, Record)>,
    bytes: Vec<u8>,
}

/// A record that has waited long enough.
pub(crate) enum Ready<'w> {
    Kernel(&'w [u8]),
    Made(Made),
}

impl Waiting {
    /// Takes a record as read from a ring.
    pub(crate) fn kernel(&mut self, record: &[u8]) {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(record);
        let place = Record::Kernel(from..self.bytes.len());
        self.records.push((bytes::time_ns(record), place));
    }

    /// Takes a record of the recorder's own.
    pub(crate) fn made(&mut self, time_ns: u64, record: Made) {
        self.records.push((time_ns, Record::Made(Box::new(record))));
    }

    /// Shows the kernel's records that are older than `horizon`, in the order of time, and drops those that are not wanted.
    pub(crate) fn retain_until(&mut self, horizon: u64, mut wants: impl FnMut(&[u8]) -> bool) {
        let mut left = self.sort_until(horizon);
        let bytes = &self.bytes;
        self.records.retain(|(_, record)| {
            let is_ready = left > 0;
            left = left.saturating_sub(1);
            match record {
                Record::Kernel(place) if is_ready => wants(&bytes[place.clone()]),
                _ => true,
            }
        });
    }

    /// Takes the records that are older than `horizon` out; they are read by [`Self::in_order`].
    pub(crate) fn split_until(&mut self, horizon: u64) -> Self {
        let ready = self.sort_until(horizon);
        let mut later = Self::default();
        for (time_ns, record) in self.records.drain(ready..) {
            match record {
                Record::Kernel(place) => later.kernel(&self.bytes[place]),
                Record::Made(_) => later.records.push((time_ns, record)),
            }
        }
        std::mem::replace(self, later)
    }

    /// Returns true if nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Hands out all records with their times.
    pub(crate) fn in_order(&mut self) -> impl Iterator<Item = (u64, Ready<'_>)> {
        let bytes = &self.bytes;
        self.records.drain(..).map(move |(time_ns, record)| {
            let ready = match record {
                Record::Kernel(place) => Ready::Kernel(&bytes[place]),
                Record::Made(made) => Ready::Made(*made),
            };
            (time_ns, ready)
        })
    }

    /// Sorts what waits, and returns how many records are older than `horizon`. The sort is stable: records of one source with
    /// equal times keep their order.
    fn sort_until(&mut self, horizon: u64) -> usize {
        self.records.sort_by_key(|(time_ns, _)| *time_ns);
        self.records
            .partition_point(|(time_ns, _)| *time_ns < horizon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of the kernel whose time is this, and whose content is told by a number.
    fn exit(time_ns: u64, number: u32) -> Vec<u8> {
        let words = [bytes::EXIT.into(), number.into(), 0, time_ns, 0, 0];
        words.into_iter().flat_map(u64::to_ne_bytes).collect()
    }

    fn number(record: &[u8]) -> u8 {
        record[8]
    }

    fn comm(pid: i32) -> Made {
        Made::Comm {
            pid,
            tid: pid,
            name: String::new(),
            exec: false,
        }
    }

    /// Returns the times and numbers of the records that are older than `horizon`.
    fn taken(waiting: &mut Waiting, horizon: u64) -> Vec<(u64, i32)> {
        let mut ready = waiting.split_until(horizon);
        let numbers = ready.in_order().map(|(time_ns, record)| match record {
            Ready::Kernel(record) => (time_ns, number(record).into()),
            Ready::Made(Made::Comm { pid, .. }) => (time_ns, pid),
            Ready::Made(_) => panic!("nobody made one"),
        });
        numbers.collect()
    }

    #[test]
    fn records_come_out_in_the_order_of_time_and_of_their_arrival() {
        let mut waiting = Waiting::default();
        waiting.kernel(&exit(30, 1));
        waiting.kernel(&exit(10, 2));
        waiting.made(10, comm(3));
        waiting.kernel(&exit(10, 4));
        waiting.made(40, comm(5));
        assert_eq!(taken(&mut waiting, 10), []);
        assert_eq!(taken(&mut waiting, 11), [(10, 2), (10, 3), (10, 4)]);
        waiting.kernel(&exit(20, 6));
        assert!(!waiting.is_empty());
        assert_eq!(taken(&mut waiting, u64::MAX), [(20, 6), (30, 1), (40, 5)]);
        assert!(waiting.is_empty());
    }

    #[test]
    fn records_that_are_not_wanted_are_dropped_once_no_older_one_can_come() {
        let mut waiting = Waiting::default();
        for (time_ns, number) in [(50, 1), (20, 2), (10, 3), (30, 4)] {
            waiting.kernel(&exit(time_ns, number));
        }
        waiting.made(15, comm(9));
        let mut shown = Vec::new();
        waiting.retain_until(40, |record| {
            shown.push(number(record));
            number(record) != 2
        });
        assert_eq!(shown, [3, 2, 4]);
        let left = [(10, 3), (15, 9), (30, 4), (50, 1)];
        assert_eq!(taken(&mut waiting, u64::MAX), left);
    }
}
