//! Places for series over a cap, remembered as long as no room is made: a flood of new series then costs no more than to
//! find out that they are new.

use super::{Origin, Over, Place};
use crate::sample::Kind;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// Limit on the overflow series of each store. Beyond it, values go to the overflow series for all other metrics.
pub(super) const OVERFLOWS_MAX: usize = 1024;

/// A cap that was reached, and the place that took the values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) over: Over,
    /// Origin of the series that was over the cap, and the bytes of its text.
    pub(super) origin: Origin,
    pub(super) text_bytes: usize,
    /// Place of the overflow series.
    pub(super) place: Place,
    /// Value of [`super::Caps::room`] before the caps were asked.
    pub(super) room: u64,
}

impl Reached {
    /// Returns true if another series of the same metric is over the same cap too.
    fn holds_for(&self, origin: Origin, text_bytes: usize, room: u64) -> bool {
        self.room == room
            && match self.over {
                Over::All | Over::Metric => true,
                Over::Origin => self.origin == origin,
                Over::Text => self.text_bytes <= text_bytes,
            }
    }
}

#[derive(Debug)]
struct Known {
    hash: u64,
    kind: Kind,
    metric: Box<str>,
    reached: Reached,
}

/// The caps that were reached last, by kind and metric.
#[derive(Debug, Default)]
pub(super) struct Overflows {
    known: HashTable<Known>,
    /// Overflow series of each kind for metrics without an overflow series of their own.
    others: HashMap<Kind, Place, RandomState>,
    hash: RandomState,
}

impl Overflows {
    /// Returns the place for a new series, if it is known.
    pub(super) fn place(
        &self,
        (kind, metric): (Kind, &str),
        origin: Origin,
        text_bytes: usize,
        room: u64,
    ) -> Option<(Over, Place)> {
        let known = self.known.find(self.hash_of(kind, metric), |known| {
            known.kind == kind && *known.metric == *metric
        })?;
        let reached = &known.reached;
        reached
            .holds_for(origin, text_bytes, room)
            .then_some((reached.over, reached.place))
    }

    /// Remembers the place for a series, instead of the place known before for its metric.
    pub(super) fn remember(&mut self, (kind, metric): (Kind, &str), reached: Reached) {
        let hash = self.hash_of(kind, metric);
        let is_it = |known: &Known| known.kind == kind && *known.metric == *metric;
        if let Some(known) = self.known.find_mut(hash, is_it) {
            known.reached = reached;
            return;
        }
        if self.known.len() >= OVERFLOWS_MAX {
            self.known.clear();
        }
        let metric = metric.into();
        let known = Known {
            hash,
            kind,
            metric,
            reached,
        };
        self.known.insert_unique(hash, known, |known| known.hash);
    }

    /// Returns the place for series of metrics without an overflow series.
    pub(super) fn place_of_others(&self, kind: Kind) -> Option<Place> {
        self.others.get(&kind).copied()
    }

    /// Remembers the place for series of metrics without an overflow series.
    pub(super) fn remember_others(&mut self, kind: Kind, place: Place) {
        self.others.insert(kind, place);
    }

    /// Forgets all places, since they may belong to other series from now on.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.others.clear();
    }

    fn hash_of(&self, kind: Kind, metric: &str) -> u64 {
        let mut hasher = self.hash.build_hasher();
        hasher.write_u8(kind as u8);
        hasher.write(metric.as_bytes());
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: Origin = Origin::Process(1);
    const OTHER: Origin = Origin::Process(2);

    #[test]
    fn a_cap_holds_for_whom_it_was_reached_until_there_is_room() {
        let mut overflows = Overflows::default();
        let mut reached = |over| {
            let reached = Reached {
                over,
                origin: ORIGIN,
                text_bytes: 100,
                place: 3,
                room: 7,
            };
            overflows.remember((Kind::Counter, "m"), reached);
            let place = |kind, metric, origin, text_bytes, room| {
                overflows.place((kind, metric), origin, text_bytes, room)
            };
            let known = Some((over, 3));
            assert_eq!(place(Kind::Counter, "m", ORIGIN, 100, 7), known);
            assert_eq!(place(Kind::Counter, "m", ORIGIN, 100, 8), None);
            assert_eq!(place(Kind::Gauge, "m", ORIGIN, 100, 7), None);
            assert_eq!(place(Kind::Counter, "n", ORIGIN, 100, 7), None);
            let other = place(Kind::Counter, "m", OTHER, 100, 7).is_some();
            let shorter = place(Kind::Counter, "m", ORIGIN, 99, 7).is_some();
            (other, shorter)
        };
        assert_eq!(reached(Over::All), (true, true));
        assert_eq!(reached(Over::Metric), (true, true));
        assert_eq!(reached(Over::Origin), (false, true));
        assert_eq!(reached(Over::Text), (true, false));
        overflows.clear();
        assert_eq!(overflows.place((Kind::Counter, "m"), ORIGIN, 100, 7), None);
    }

    #[test]
    fn ever_other_metrics_take_no_more_room() {
        let mut overflows = Overflows::default();
        for number in 0..3 * OVERFLOWS_MAX {
            let reached = Reached {
                over: Over::All,
                origin: ORIGIN,
                text_bytes: 0,
                place: 0,
                room: 0,
            };
            overflows.remember((Kind::Set, &number.to_string()), reached);
        }
        assert!(overflows.known.len() <= OVERFLOWS_MAX);
    }
}
