//! Ids of frames and stacks.
//!
//! Compaction needs the stacks that files hold only to find their ids: of a large service they are most of its memory. It keeps a
//! keyed hash of each: the chance that one is taken for another is below 10^-19 for each pair, also where a sender wants it.

use std::hash::{BuildHasher, Hash, RandomState};

use rustc_hash::FxBuildHasher;

use super::super::rows::{Cell, Rows, Values, list};
use super::super::tables::Table;
use super::lookup::{Keys, Lookup};

/// What a frame is: numbers of texts, and the offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct FrameKey {
    pub(super) file: u32,
    pub(super) file_build: u32,
    pub(super) file_kind: u32,
    pub(super) is_named: bool,
    pub(super) file_offset: i64,
    pub(super) name: u32,
}

/// Stacks that are looked up: ids of their frames, innermost first.
#[derive(Default)]
pub(super) struct StackKeys {
    are_leaf_only: Vec<bool>,
    ends: Vec<u32>,
    frames: Vec<i32>,
}

impl StackKeys {
    /// Adds a stack.
    pub(super) fn push(&mut self, is_leaf_only: bool, frames: impl IntoIterator<Item = i32>) {
        self.frames.extend(frames);
        self.ends.push(self.frames.len() as u32);
        self.are_leaf_only.push(is_leaf_only);
    }

    fn get(&self, at: usize) -> (bool, &[i32]) {
        let frames = list(&self.ends, &self.frames, at);
        (self.are_leaf_only[at], frames)
    }
}

/// Ids by what they stand for.
#[derive(Default)]
pub(super) struct Ids {
    /// Frames at their ids: in rows their parts lie far from each other.
    frame_keys: Vec<FrameKey>,
    frames: Lookup,
    /// Keyed hashes of stacks without rows, at their ids.
    known_stacks: Vec<u64>,
    stacks: Lookup,
    keyed: RandomState,
}

impl Ids {
    /// Reads the ids of sorted rows; `None` if they are not those from 0 to the number of rows.
    pub(super) fn new(frames: &Rows, stacks: &Rows) -> Option<Self> {
        let mut ids = Self::of_frames(frames)?;
        if !are_dense(stacks.ints("stack")) {
            return None;
        }
        for row in 0..stacks.len() {
            let stack = ids.stack_of(stacks, row)?;
            ids.stacks.insert(hash(stack), row as u32);
        }
        Some(ids)
    }

    /// Reads the ids of sorted frames; `None` if they are not those from 0 to the number of rows.
    fn of_frames(frames: &Rows) -> Option<Self> {
        let mut ids = Self::default();
        if !are_dense(frames.ints("frame")) {
            return None;
        }
        for row in 0..frames.len() {
            let key = FrameKey {
                file: frames.texts("file")[row],
                file_build: frames.texts("file_build")[row],
                file_kind: frames.texts("file_kind")[row],
                is_named: frames.ints("is_named")[row] != 0,
                file_offset: frames.longs("file_offset")[row],
                name: frames.texts("name")[row],
            };
            ids.frame_keys.push(key);
            ids.frames.insert(hash(key), row as u32);
        }
        Some(ids)
    }

    /// Returns the stack of a row; `None` if it has no frames, or some that are not there.
    fn stack_of<'r>(&self, rows: &'r Rows, row: usize) -> Option<(bool, &'r [i32])> {
        let list = rows.list("frames", row);
        let is_frame = |frame: &i32| (0..self.frame_keys.len() as i32).contains(frame);
        let is_stack = !list.is_empty() && list.iter().all(is_frame);
        is_stack.then(|| (rows.ints("is_leaf_only")[row] != 0, list))
    }

    /// Returns the ids of frames in their order, and adds rows of those that are new.
    pub(super) fn frames(&mut self, wanted: &[FrameKey], rows: &mut Rows) -> Vec<i32> {
        let hashes: Vec<u64> = wanted.iter().map(hash).collect();
        let mut keys = WantedFrames {
            wanted,
            known: &mut self.frame_keys,
            rows,
        };
        self.frames.find_or_add(&hashes, &mut keys)
    }

    /// Returns the ids of stacks in their order, and adds rows of those that are new.
    pub(super) fn stacks(&mut self, wanted: &StackKeys, rows: &mut Rows) -> Vec<i32> {
        let stacks = 0..wanted.ends.len();
        let hashes: Vec<u64> = stacks.map(|at| hash(wanted.get(at))).collect();
        let mut keys = WantedStacks {
            wanted,
            known: &self.known_stacks,
            keyed: &self.keyed,
            rows,
        };
        self.stacks.find_or_add(&hashes, &mut keys)
    }
}

/// Ids of which rows are not kept, while they are read.
pub(super) struct KnownIds {
    ids: Ids,
    read: Vec<(i32, u64)>,
}

impl KnownIds {
    /// Reads the ids of sorted frames; `None` if they are not those from 0 to the number of rows.
    pub(super) fn new(frames: &Rows) -> Option<Self> {
        Some(Self {
            ids: Ids::of_frames(frames)?,
            read: Vec::new(),
        })
    }

    /// Reads the ids of some stacks, in any order; `None` if frames of one are not there.
    pub(super) fn add(&mut self, stacks: &Rows) -> Option<()> {
        let Self { ids, read } = self;
        for (row, id) in stacks.ints("stack").iter().enumerate() {
            let stack = ids.stack_of(stacks, row)?;
            read.push((*id, ids.keyed.hash_one(stack)));
            ids.stacks.insert(hash(stack), *id as u32);
        }
        Some(())
    }

    /// Returns all ids; `None` if those of stacks are not those from 0 to their number.
    pub(super) fn into_ids(self) -> Option<Ids> {
        let Self { mut ids, mut read } = self;
        read.sort_unstable();
        let (of_stacks, hashes): (Vec<i32>, Vec<u64>) = read.into_iter().unzip();
        ids.known_stacks = hashes;
        are_dense(&of_stacks).then_some(ids)
    }
}

fn are_dense(ids: &[i32]) -> bool {
    ids.iter().enumerate().all(|(at, id)| *id == at as i32)
}

fn hash(key: impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

struct WantedFrames<'a> {
    wanted: &'a [FrameKey],
    known: &'a mut Vec<FrameKey>,
    rows: &'a mut Rows,
}

impl Keys for WantedFrames<'_> {
    fn has_id(&self, at: usize, id: u32) -> bool {
        self.known[id as usize] == self.wanted[at]
    }

    fn add(&mut self, at: usize) -> u32 {
        let (key, id) = (self.wanted[at], self.known.len() as u32);
        self.known.push(key);
        self.rows.push([
            Cell::Int(id as i32),
            Cell::Text(key.file),
            Cell::Text(key.file_build),
            Cell::Text(key.file_kind),
            Cell::Int(key.is_named.into()),
            Cell::Long(key.file_offset),
            Cell::Text(key.name),
        ]);
        id
    }
}

struct WantedStacks<'a> {
    wanted: &'a StackKeys,
    known: &'a [u64],
    keyed: &'a RandomState,
    /// Those that are not known, whose ids go on behind.
    rows: &'a mut Rows,
}

impl Keys for WantedStacks<'_> {
    fn has_id(&self, at: usize, id: u32) -> bool {
        let id = id as usize;
        if let Some(known) = self.known.get(id) {
            return *known == self.keyed.hash_one(self.wanted.get(at));
        }
        let [_, Values::Int(are_leaf_only), Values::List { ends, items }] = self.rows.columns()
        else {
            unreachable!(
                "columns of {:?} are an id, a number and a list",
                Table::Stacks
            );
        };
        let (is_leaf_only, frames) = self.wanted.get(at);
        let row = id - self.known.len();
        list(ends, items, row) == frames && are_leaf_only[row] == i32::from(is_leaf_only)
    }

    fn add(&mut self, at: usize) -> u32 {
        let (is_leaf_only, frames) = self.wanted.get(at);
        let id = (self.known.len() + self.rows.len()) as u32;
        self.rows.push([
            Cell::Int(id as i32),
            Cell::Int(is_leaf_only.into()),
            Cell::List(frames),
        ]);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    const FRAMES: i32 = 4;

    fn frames() -> Rows {
        let mut rows = Rows::new(Table::Frames);
        for id in 0..FRAMES {
            let text = Cell::Text(0);
            let offset = Cell::Long(id.into());
            rows.push([Cell::Int(id), text, text, text, Cell::Int(0), offset, text]);
        }
        rows
    }

    fn stacks<'a>(known: impl IntoIterator<Item = (i32, &'a (bool, Vec<i32>))>) -> Rows {
        let mut rows = Rows::new(Table::Stacks);
        for (id, (is_leaf_only, frames)) in known {
            let is_leaf_only = Cell::Int((*is_leaf_only).into());
            rows.push([Cell::Int(id), is_leaf_only, Cell::List(frames)]);
        }
        rows
    }

    proptest! {
        #[test]
        fn ids_are_the_same_whether_rows_are_kept_or_not(
            known in btree_set((any::<bool>(), vec(0..FRAMES, 1..4)), 0..20),
            wanted in vec((any::<bool>(), vec(0..FRAMES, 1..4)), 0..20), cut in 0..20_usize
        ) {
            let known: Vec<_> = (0..).zip(&known).collect();
            let cut = cut.min(known.len());
            let mut keys = StackKeys::default();
            for (is_leaf_only, frames) in &wanted {
                keys.push(*is_leaf_only, frames.iter().copied());
            }
            let mut all = stacks(known.iter().copied());
            let ids = Ids::new(&frames(), &all).unwrap().stacks(&keys, &mut all);
            let mut read = KnownIds::new(&frames()).unwrap();
            for file in [&known[cut..], &known[..cut]] {
                read.add(&stacks(file.iter().copied())).unwrap();
            }
            let mut new = Rows::new(Table::Stacks);
            let mut known_ids = read.into_ids().unwrap();
            prop_assert_eq!(known_ids.stacks(&keys, &mut new), ids);
            let mut expected = Rows::new(Table::Stacks);
            expected.extend(&all, |row| row >= known.len());
            prop_assert_eq!(&new, &expected);
            // What is new is known from then on.
            let again = known_ids.stacks(&keys, &mut new);
            prop_assert_eq!((again, new), (ids_of(&keys, &mut all), expected));
        }
    }

    fn ids_of(keys: &StackKeys, all: &mut Rows) -> Vec<i32> {
        let mut ids = Ids::new(&frames(), all).unwrap();
        ids.stacks(keys, all)
    }

    #[test]
    fn ids_that_are_missing_or_doubled_or_of_frames_that_are_not_there_are_told() {
        let stack = (false, vec![0, FRAMES - 1]);
        let is_damaged = |rows: Rows| {
            let mut read = KnownIds::new(&frames()).unwrap();
            let is_read = read.add(&rows).is_some();
            !is_read || read.into_ids().is_none()
        };
        assert!(!is_damaged(stacks([(1, &stack), (0, &(true, vec![0]))])));
        assert!(is_damaged(stacks([(1, &stack)])));
        assert!(is_damaged(stacks([(-1, &stack)])));
        assert!(is_damaged(stacks([(0, &stack), (0, &stack)])));
        assert!(is_damaged(stacks([(0, &(false, vec![FRAMES]))])));
        assert!(is_damaged(stacks([(0, &(false, vec![]))])));
        let mut missing = Rows::new(Table::Frames);
        missing.extend(&frames(), |row| row > 0);
        assert!(KnownIds::new(&missing).is_none());
    }
}
