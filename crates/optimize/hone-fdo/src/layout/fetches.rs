//! Replays walked traces in their order through models of the instruction cache and of the TLB for code.
//!
//! A walk is recorded in pieces, and each piece repeats the newest record of the piece before ([`hone_profile::WALK_EVENT`]): pieces
//! that fit together are one walk. Walks of several threads may be interleaved in the recording; each walk is replayed
//! as a whole, because a CPU runs a thread for longer than a walk takes. Branch stacks of the hardware are short walks.
//!
//! The models leave out fetching ahead, code that the CPU guessed wrongly, the kernel, caches that threads share, and
//! the order of pages in memory, which does not matter to caches of 4 KiB a way.

use super::cache::{Cache, CacheShape, Touches};
use crate::aggregate::RANGE_BYTES_MAX;
use hone_profile::{
    BinaryId, BinaryKind, BranchRecord, Event, LocationId, PieceEnd, Profile, Sample, Svma,
    ThreadId,
};
use hone_symbols::Binary;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Maximum number of ranges of a walk; longer walks are replayed in parts, so that memory is bounded.
const RANGES_MAX: usize = 1 << 20;

/// Touches of lines and of pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fetched {
    /// Touches of lines of the instruction cache.
    pub l1i: Touches,
    /// Touches of pages.
    pub itlb: Touches,
}

impl Fetched {
    pub(super) fn add(&mut self, other: Self) {
        self.l1i.add(other.l1i);
        self.itlb.add(other.itlb);
    }
}

/// Results of the models for one binary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BinaryFetches {
    /// Touches by the first instruction of the straight range.
    pub(super) by_range_start: BTreeMap<Svma, Fetched>,
    /// Number of walks that were replayed, including walks in other binaries.
    pub(super) walks: u64,
}

impl BinaryFetches {
    /// Adds the results of another recording.
    pub fn add(&mut self, other: &Self) {
        self.walks += other.walks;
        for (&start, &fetched) in &other.by_range_start {
            self.by_range_start.entry(start).or_default().add(fetched);
        }
    }
}

/// A walk of a thread, which the next piece may continue.
#[derive(Debug)]
struct Walk {
    end: PieceEnd,
    /// First and last instruction of each straight range, in order.
    ranges: Vec<(LocationId, LocationId)>,
}

/// Models of the caches, fed by one recording.
#[derive(Debug)]
pub struct FetchModel {
    l1i: Cache,
    itlb: Cache,
    open: FxHashMap<ThreadId, Walk>,
    by_range_start: FxHashMap<LocationId, Fetched>,
    walks: u64,
}

impl FetchModel {
    /// Creates models of empty caches.
    pub fn new(l1i: CacheShape, itlb: CacheShape) -> Self {
        Self {
            l1i: Cache::new(l1i),
            itlb: Cache::new(itlb),
            open: FxHashMap::default(),
            by_range_start: FxHashMap::default(),
            walks: 0,
        }
    }

    /// Adds a sample with its branch records, newest first; samples without records, or with only a part of them, are
    /// ignored.
    pub fn add(&mut self, profile: &Profile, sample: &Sample, newest_first: &[BranchRecord]) {
        let Some(end) = PieceEnd::of(newest_first, sample.time_ns) else {
            return;
        };
        let event = profile.events.get(sample.event.index());
        if event.is_some_and(|event| event.branches.are_partial()) {
            return;
        }
        let is_walk = event.is_some_and(Event::is_walk);
        let goes_on = |walk: &Walk| is_walk && walk.end.goes_on_in(newest_first, sample.time_ns);
        let mut ranges = match self.open.remove(&sample.thread) {
            Some(walk) if goes_on(&walk) && walk.ranges.len() < RANGES_MAX => walk.ranges,
            Some(ended) => {
                self.replay(profile, &ended.ranges);
                Vec::new()
            }
            None => Vec::new(),
        };
        let pairs = newest_first.windows(2).rev();
        ranges.extend(pairs.map(|pair| (pair[1].to, pair[0].from)));
        self.open.insert(sample.thread, Walk { end, ranges });
    }

    /// Replays the rest, and returns the touches of the binary, whose ids in the profile are `ids`.
    pub fn finish(
        mut self,
        profile: &Profile,
        ids: &[BinaryId],
        binary: &Binary<'_>,
    ) -> BinaryFetches {
        let mut open: Vec<(ThreadId, Walk)> = self.open.drain().collect();
        open.sort_by_key(|(thread, _)| *thread);
        for (_, walk) in &open {
            self.replay(profile, &walk.ranges);
        }
        let mut fetches = BinaryFetches {
            walks: self.walks,
            ..BinaryFetches::default()
        };
        for (&start, &fetched) in &self.by_range_start {
            let location = profile.location(start);
            if ids.contains(&location.binary)
                && let Some(svma) = binary.svma_of(location.offset)
            {
                // The same file may have more than one id.
                let known = fetches.by_range_start.entry(svma).or_default();
                known.add(fetched);
            }
        }
        fetches
    }

    fn replay(&mut self, profile: &Profile, ranges: &[(LocationId, LocationId)]) {
        self.walks += 1;
        self.l1i.next_walk();
        self.itlb.next_walk();
        for &(first, last) in ranges {
            let (from, to) = (profile.location(first), profile.location(last));
            let is_straight = from.binary == to.binary
                && (from.offset..).contains(&to.offset)
                && to.offset.0 - from.offset.0 <= RANGE_BYTES_MAX;
            let kind = profile.binary(from.binary).kind;
            if !is_straight || !matches!(kind, BinaryKind::File | BinaryKind::Anonymous) {
                continue;
            }
            let (binary, from, to) = (from.binary, from.offset.0, to.offset.0);
            let fetched = Fetched {
                l1i: self.l1i.fetch(binary, from, to),
                itlb: self.itlb.fetch(binary, from, to),
            };
            self.by_range_start.entry(first).or_default().add(fetched);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::{
        BranchKind, BranchStacks, EventId, FileOffset, ThirdArgument, Thread, WALK_EVENT,
    };

    struct Recording {
        profile: Profile,
        model: FetchModel,
    }

    impl Recording {
        fn new() -> Self {
            let mut profile = Profile::default();
            profile.events.push(Event {
                name: WALK_EVENT.into(),
                branches: BranchStacks::Whole,
            });
            profile.intern_binary(hone_profile::Binary {
                path: "/p".into(),
                build_id: None,
                kind: BinaryKind::File,
            });
            for tid in [1, 2] {
                profile.intern_thread(Thread {
                    pid: 1,
                    tid,
                    name: "t".into(),
                    ..Thread::default()
                });
            }
            Self {
                profile,
                model: FetchModel::new(CacheShape::L1I, CacheShape::tlb(4)),
            }
        }

        /// Adds a piece of a walk: branches as offsets from and to, in order.
        fn piece(&mut self, thread: u32, branches: &[(u64, u64)]) {
            let mut record = |&(from, to): &(u64, u64)| BranchRecord {
                from: self.profile.intern_location(BinaryId(0), FileOffset(from)),
                to: self.profile.intern_location(BinaryId(0), FileOffset(to)),
                mispredicted: false,
                kind: BranchKind::Unknown,
                third_argument: ThirdArgument::UNKNOWN,
            };
            let records: Vec<BranchRecord> = branches.iter().rev().map(&mut record).collect();
            let sample = Sample {
                event: EventId(0),
                thread: ThreadId(thread),
                time_ns: 0,
                weight: 1,
                times: 1,
                ip: records[0].to,
                stack: None,
                branches: 0..0,
            };
            self.model.add(&self.profile, &sample, &records);
        }

        fn finish(mut self) -> (u64, Fetched) {
            let open: Vec<Walk> = self.model.open.drain().map(|(_, walk)| walk).collect();
            for walk in open {
                self.model.replay(&self.profile, &walk.ranges);
            }
            let mut all = Fetched::default();
            for fetched in self.model.by_range_start.values() {
                all.add(*fetched);
            }
            (self.model.walks, all)
        }
    }

    #[test]
    fn pieces_that_fit_together_are_one_walk() {
        let mut recording = Recording::new();
        // A loop from 0x1000 to 0x1010, cut in two; the second piece starts with the last record of the first piece.
        let back = (0x1010, 0x1000);
        recording.piece(0, &[back, back, back]);
        recording.piece(1, &[back, back]);
        recording.piece(0, &[back, back]);
        let (walks, all) = recording.finish();
        assert_eq!(walks, 2);
        assert_eq!(all.l1i.all, 4, "a range between each two records");
        // The first touch of each walk is not known; the second walk finds the line that the first walk left.
        assert_eq!((all.l1i.guessed_misses, all.l1i.guessed_hits), (1, 1));
        assert_eq!(all.l1i.misses, 0);
    }

    #[test]
    fn ranges_over_gaps_touch_nothing() {
        let mut recording = Recording::new();
        recording.piece(0, &[(0, 0x9000), (0x1000, 0x2000), (0x2000 + (2 << 20), 0)]);
        assert_eq!(recording.finish().1.l1i.all, 0);
    }

    #[test]
    fn more_pages_than_the_tlb_has_places_miss_each_time() {
        let mut recording = Recording::new();
        let pages = |page: u64| ((page << 12) + 64, ((page + 1) % 5) << 12);
        let round: Vec<(u64, u64)> = (0..50).map(|step| pages(step % 5)).collect();
        recording.piece(0, &round);
        let all = recording.finish().1;
        assert_eq!(all.itlb.all, 49);
        assert_eq!((all.itlb.guessed_misses, all.itlb.misses), (4, 45));
        assert_eq!(all.l1i.misses, 0, "ten lines fit");
    }
}
