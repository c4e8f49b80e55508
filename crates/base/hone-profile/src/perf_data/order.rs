//! Records in order of time.
//!
//! perf writes the buffers of the CPUs one after the other, so a file is in order of time only in parts;
//! mappings have to be known before the samples in them. After each turn over all buffers perf
//! writes `PERF_RECORD_FINISHED_ROUND`: later records are no older than the newest record at the end of
//! the round before, so all records up to that time can go (`tools/perf/util/ordered-events.c` says why). Only the
//! other records wait in memory; a file without such marks waits as a whole.

use super::source::RawRecord;

/// Place of a waiting record, and time of the record.
#[derive(Clone, Copy)]
struct Place {
    time_ns: u64,
    at: usize,
}

/// Records that wait for their turn.
#[derive(Default)]
pub(crate) struct Order {
    bytes: Vec<u8>,
    /// Former buffer of `bytes`: rounds have megabytes, which need not be allocated anew.
    spare: Vec<u8>,
    places: Vec<Place>,
    last_time_ns: u64,
    newest_ns: u64,
    /// Time of the newest record at the end of the round before.
    settled_ns: u64,
}

impl Order {
    /// Adds a record, header included. A record without a time keeps its place behind the record before it, which
    /// came from the same buffer.
    pub(crate) fn push(&mut self, time_ns: Option<u64>, record: &[u8]) {
        let time_ns = time_ns.unwrap_or(self.last_time_ns);
        self.last_time_ns = time_ns;
        self.newest_ns = self.newest_ns.max(time_ns);
        self.places.push(Place {
            time_ns,
            at: self.bytes.len(),
        });
        self.bytes.extend_from_slice(record);
    }

    /// Ends a round: hands on the records that no older record can follow.
    pub(crate) fn round(&mut self, take: impl FnMut(RawRecord<'_>)) {
        let settled = self.settled_ns;
        self.settled_ns = self.newest_ns;
        self.hand_on(settled, take);
    }

    /// Hands on all waiting records.
    pub(crate) fn finish(&mut self, take: impl FnMut(RawRecord<'_>)) {
        self.hand_on(u64::MAX, take);
    }

    fn hand_on(&mut self, until_ns: u64, mut take: impl FnMut(RawRecord<'_>)) {
        if !self.places.is_sorted_by_key(|place| place.time_ns) {
            self.places.sort_by_key(|place| place.time_ns);
        }
        let count = self
            .places
            .partition_point(|place| place.time_ns <= until_ns);
        let record = |place: &Place| RawRecord::parse(&self.bytes[place.at..]).ok();
        self.places[..count]
            .iter()
            .filter_map(record)
            .for_each(&mut take);
        if count == 0 {
            return;
        }
        let mut left = std::mem::take(&mut self.spare);
        left.clear();
        for place in &mut self.places[count..] {
            let at = left.len();
            if let Ok(record) = RawRecord::parse(&self.bytes[place.at..]) {
                left.extend_from_slice(&self.bytes[place.at..place.at + record.len()]);
            }
            place.at = at;
        }
        self.spare = std::mem::replace(&mut self.bytes, left);
        self.places.drain(..count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: u16) -> [u8; 8] {
        let mut bytes = [0; 8];
        bytes[4..6].copy_from_slice(&name.to_le_bytes());
        bytes[6] = 8;
        bytes
    }

    #[test]
    fn each_round_hands_on_what_the_one_before_had_seen() {
        let mut order = Order::default();
        let mut seen = Vec::new();
        for (time_ns, name) in [(10, 1), (30, 3), (20, 2), (25, 25)] {
            order.push(Some(time_ns), &record(name));
        }
        order.push(None, &record(26));
        order.round(|record| seen.push(record.misc));
        assert!(seen.is_empty(), "an older one may come in the next round");
        order.push(Some(40), &record(4));
        order.push(Some(15), &record(15));
        order.round(|record| seen.push(record.misc));
        assert_eq!(seen, [1, 15, 2, 25, 26, 3]);
        order.push(Some(35), &record(35));
        order.finish(|record| seen.push(record.misc));
        assert_eq!(seen[6..], [35, 4]);
        assert!(order.bytes.is_empty());
    }
}
