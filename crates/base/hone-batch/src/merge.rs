//! Batches that become one, for compaction and for answers.

use std::ops::Range;

use crate::batch::{
    BUCKET_S, Batch, EventIndex, FrameIndex, Group, GroupIndex, Place, PlaceIndex, Samples,
};
use crate::rows::add_up;
use crate::tables::Tables;

/// Places and frames that take as much memory as a row of samples.
const INTERNED_OF_ROW: usize = 4;

/// Sum of batches.
///
/// The function `regroup` gets each group, its host filled in, and returns the group in which its samples count: with parts left
/// out that shall not be told apart. Samples of groups for which it returns `None` are left out.
#[derive(Clone, Debug)]
pub struct Merging<F> {
    bucket_s: u64,
    regroup: F,
    tables: Tables,
    /// Rows of samples, of which some may be equal: most are not, since their times differ.
    samples: Vec<Samples>,
    span_s: Option<Range<u64>>,
}

impl<F: FnMut(Group) -> Option<Group>> Merging<F> {
    /// Begins a sum whose samples are told apart by `bucket_s` seconds: buckets begin at multiples of that time, rounded down to
    /// [`BUCKET_S`].
    pub fn new(bucket_s: u64, regroup: F) -> Self {
        Self {
            bucket_s,
            regroup,
            tables: Tables::default(),
            samples: Vec::new(),
            span_s: None,
        }
    }

    /// Adds a batch, which has been read and so refers to what it has.
    pub fn add(&mut self, batch: &Batch) {
        let groups = self.groups(batch);
        let mut moving = Moving {
            batch,
            tables: &mut self.tables,
            events: vec![None; batch.events.len()],
            places: vec![None; batch.places.len()],
            frames: vec![None; batch.frames.len()],
        };
        for row in &batch.samples {
            let Some(group) = groups[row.group.index()] else {
                continue;
            };
            self.samples.push(Samples {
                event: moving.event(row.event),
                group,
                stack: moving.frame(row.stack),
                ip: row.ip.map(|ip| moving.place(ip)),
                bucket: rounded(row.bucket, self.bucket_s),
                ..*row
            });
        }
        for row in &batch.branches {
            if let Some(group) = groups[row.group.index()] {
                let edge = (group, moving.place(row.from), moving.place(row.to));
                let tables = &mut moving.tables;
                tables.add_branches(edge, row.taken, row.mispredicted);
            }
        }
        for row in &batch.ranges {
            if let Some(group) = groups[row.group.index()] {
                let edge = (group, moving.place(row.first), moving.place(row.last));
                moving.tables.add_ranges(edge, row.times);
            }
        }
        for row in &batch.records {
            if let Some(group) = groups[row.group.index()] {
                let event = moving.event(row.event);
                let counts = [row.samples, row.branches, row.repeated];
                moving.tables.add_records(event, group, counts);
            }
        }
        self.widen(&batch.span_s);
    }

    /// Returns the number of different rows so far: several places and frames, which are small, count as one.
    pub fn rows(&mut self) -> usize {
        add_up(&mut self.samples);
        self.rows_at_most()
    }

    /// True if there are more different rows than that. Who adds many batches asks from time to time, so that equal rows of
    /// samples do not stay in memory.
    pub fn exceeds(&mut self, rows_max: usize) -> bool {
        self.rows_at_most() > rows_max && self.rows() > rows_max
    }

    fn rows_at_most(&self) -> usize {
        let tables = &self.tables;
        let counts = [
            self.samples.len(),
            tables.branches.len(),
            tables.ranges.len(),
            tables.records.len(),
        ];
        let interned = tables.places.items().len() + tables.frames.items().len();
        interned / INTERNED_OF_ROW + counts.iter().sum::<usize>()
    }

    /// Returns the sum, as a batch of nobody. It is the same whatever the order of the batches.
    pub fn finish(self) -> Batch {
        Batch {
            span_s: self.span_s.unwrap_or_default(),
            ..self.tables.finish(self.samples)
        }
    }

    /// Returns the new group of each group of a batch.
    fn groups(&mut self, batch: &Batch) -> Vec<Option<GroupIndex>> {
        let groups = batch.groups.iter().map(|group| {
            let mut group = group.clone();
            if group.host.is_empty() {
                group.host.clone_from(&batch.origin.host);
            }
            let group = (self.regroup)(group)?;
            Some(GroupIndex(self.tables.groups.intern(&group)))
        });
        groups.collect()
    }

    fn widen(&mut self, span_s: &Range<u64>) {
        if span_s.is_empty() {
            return;
        }
        let all = self.span_s.get_or_insert(span_s.clone());
        all.start = all.start.min(span_s.start);
        all.end = all.end.max(span_s.end);
    }
}

/// Returns the bucket in which a wider bucket begins.
fn rounded(bucket: u64, bucket_s: u64) -> u64 {
    let Some(start_s) = bucket.checked_mul(BUCKET_S) else {
        return bucket;
    };
    let wide = bucket_s.max(1);
    start_s / wide * wide / BUCKET_S
}

/// What of a batch has come into the tables of the sum so far.
struct Moving<'m> {
    batch: &'m Batch,
    tables: &'m mut Tables,
    events: Vec<Option<EventIndex>>,
    places: Vec<Option<PlaceIndex>>,
    frames: Vec<Option<FrameIndex>>,
}

impl Moving<'_> {
    fn event(&mut self, old: EventIndex) -> EventIndex {
        let event = &self.batch.events[old.index()];
        *self.events[old.index()]
            .get_or_insert_with(|| EventIndex(self.tables.events.intern(event)))
    }

    fn place(&mut self, old: PlaceIndex) -> PlaceIndex {
        if let Some(known) = self.places[old.index()] {
            return known;
        }
        let new = match self.batch.places[old.index()] {
            Place::Code { binary, offset } => {
                let binary = &self.batch.binaries[binary.index()];
                self.tables.code(binary, offset)
            }
            Place::Named { binary, name } => {
                let binary = &self.batch.binaries[binary.index()];
                self.tables.named(binary, &self.batch.names[name.index()])
            }
        };
        self.places[old.index()] = Some(new);
        new
    }

    /// Moves a frame and its callers.
    fn frame(&mut self, innermost: FrameIndex) -> FrameIndex {
        let mut missing = Vec::new();
        let mut next = Some(innermost);
        let mut caller = None;
        while let Some(old) = next {
            caller = self.frames[old.index()];
            if caller.is_some() {
                break;
            }
            missing.push(old);
            next = self.batch.frames[old.index()].caller;
        }
        for old in missing.into_iter().rev() {
            let place = self.place(self.batch.frames[old.index()].place);
            caller = Some(self.tables.frame(place, caller));
            self.frames[old.index()] = caller;
        }
        caller.expect("the innermost frame at least")
    }
}
