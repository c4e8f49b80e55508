//! Where what is over a cap goes, remembered as long as no room came: a flood of new series then costs no more than to
//! find out that they are new.

use super::{Origin, Over, Place};
use crate::sample::Kind;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// Series that take what is over a cap, of each store. What is over them goes to the one for all metrics.
pub(super) const OVERFLOWS_MAX: usize = 1024;

/// A cap that was reached, and what took its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) over: Over,
    /// Whose series it was, and how much text it had.
    pub(super) origin: Origin,
    pub(super) text_bytes: usize,
    /// Where it went.
    pub(super) place: Place,
    /// [`super::Caps::room`] before the cap was asked for.
    pub(super) room: u64,
}

impl Reached {
    /// Whether another series of the same metric is over the same cap.
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
    /// By kind, the series that takes what is of a metric without a series of its own.
    others: HashMap<Kind, Place, RandomState>,
    hash: RandomState,
}

impl Overflows {
    /// Where a new series goes, if that is known.
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

    /// Remembers where a series went, in the place of what was known of its metric.
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

    /// Where what is of no known metric goes.
    pub(super) fn place_of_others(&self, kind: Kind) -> Option<Place> {
        self.others.get(&kind).copied()
    }

    /// Remembers that.
    pub(super) fn remember_others(&mut self, kind: Kind, place: Place) {
        self.others.insert(kind, place);
    }

    /// Forgets all: places may stand for others from now on.
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
