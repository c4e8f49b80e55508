//! Ids of frames and stacks.

use std::hash::{BuildHasher, Hash};

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
    stacks: Lookup,
}

impl Ids {
    /// Reads the ids of sorted rows; `None` if they are not those from 0 to the number of rows.
    pub(super) fn new(frames: &Rows, stacks: &Rows) -> Option<Self> {
        let mut ids = Self::default();
        let are_dense = |ids: &[i32]| ids.iter().enumerate().all(|(at, id)| *id == at as i32);
        if !are_dense(frames.ints("frame")) || !are_dense(stacks.ints("stack")) {
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
        for row in 0..stacks.len() {
            let list = stacks.list("frames", row);
            let is_frame = |frame: &i32| (0..frames.len() as i32).contains(frame);
            if list.is_empty() || !list.iter().all(is_frame) {
                return None;
            }
            let is_leaf_only = stacks.ints("is_leaf_only")[row] != 0;
            ids.stacks.insert(hash((is_leaf_only, list)), row as u32);
        }
        Some(ids)
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
        let mut keys = WantedStacks { wanted, rows };
        self.stacks.find_or_add(&hashes, &mut keys)
    }
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
    rows: &'a mut Rows,
}

impl Keys for WantedStacks<'_> {
    fn has_id(&self, at: usize, id: u32) -> bool {
        let [_, Values::Int(are_leaf_only), Values::List { ends, items }] = self.rows.columns()
        else {
            unreachable!(
                "columns of {:?} are an id, a number and a list",
                Table::Stacks
            );
        };
        let (is_leaf_only, frames) = self.wanted.get(at);
        let id = id as usize;
        list(ends, items, id) == frames && are_leaf_only[id] == i32::from(is_leaf_only)
    }

    fn add(&mut self, at: usize) -> u32 {
        let (is_leaf_only, frames) = self.wanted.get(at);
        let id = self.rows.len() as u32;
        self.rows.push([
            Cell::Int(id as i32),
            Cell::Int(is_leaf_only.into()),
            Cell::List(frames),
        ]);
        id
    }
}
