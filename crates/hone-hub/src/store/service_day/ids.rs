//! Ids of frames and stacks.

use rustc_hash::FxHashMap;

use super::super::rows::{Cell, Rows};

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

/// Ids by what they stand for.
#[derive(Default)]
pub(super) struct Ids {
    frames: FxHashMap<FrameKey, i32>,
    /// Those with callers, and those without.
    stacks: [FxHashMap<Box<[i32]>, i32>; 2],
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
            ids.frames.insert(key, row as i32);
        }
        for row in 0..stacks.len() {
            let list = stacks.list("frames", row);
            let is_frame = |frame: &i32| (0..frames.len() as i32).contains(frame);
            if list.is_empty() || !list.iter().all(is_frame) {
                return None;
            }
            let is_leaf_only = stacks.ints("is_leaf_only")[row] != 0;
            ids.stacks[usize::from(is_leaf_only)].insert(list.into(), row as i32);
        }
        Some(ids)
    }

    /// Returns the id of a frame, and adds its row if it is new.
    pub(super) fn frame(&mut self, key: FrameKey, rows: &mut Rows) -> i32 {
        *self.frames.entry(key).or_insert_with(|| {
            let id = rows.len() as i32;
            rows.push([
                Cell::Int(id),
                Cell::Text(key.file),
                Cell::Text(key.file_build),
                Cell::Text(key.file_kind),
                Cell::Int(key.is_named.into()),
                Cell::Long(key.file_offset),
                Cell::Text(key.name),
            ]);
            id
        })
    }

    /// Returns the id of a stack, and adds its row if it is new.
    pub(super) fn stack(&mut self, is_leaf_only: bool, frames: &[i32], rows: &mut Rows) -> i32 {
        let stacks = &mut self.stacks[usize::from(is_leaf_only)];
        if let Some(id) = stacks.get(frames) {
            return *id;
        }
        let id = rows.len() as i32;
        rows.push([
            Cell::Int(id),
            Cell::Int(is_leaf_only.into()),
            Cell::List(frames),
        ]);
        stacks.insert(frames.into(), id);
        id
    }
}
