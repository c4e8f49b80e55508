//! Numbers that the parts of a batch have in one of the days that it goes to.

use hone_batch::{Batch, EventIndex, FrameIndex, GroupIndex, Place, PlaceIndex};
use rustc_hash::FxHashMap;

use super::super::tables::Table;
use super::ServiceDay;
use super::answer::kind_name;
use super::ids::{FrameKey, StackKeys};

/// In place of the number of what was not looked up yet.
const UNKNOWN: i32 = -1;
/// In place of the number of what is looked up next.
const WANTED: i32 = -2;

/// Numbers at the positions that the parts have in the batch. Places and stacks are wanted first, and then looked up together.
pub(super) struct Translated {
    places: Vec<i32>,
    /// By the innermost frame, without callers and with them.
    stacks: [Vec<i32>; 2],
    pub(super) groups: Vec<Option<[u32; 5]>>,
    pub(super) events: Vec<Option<u32>>,
    pub(super) commons: FxHashMap<(EventIndex, GroupIndex), u32>,
    /// Frames whose places are wanted, with those of their callers.
    walked: Vec<bool>,
    wanted_places: Vec<PlaceIndex>,
    wanted_stacks: Vec<(FrameIndex, bool)>,
}

impl Translated {
    pub(super) fn new(batch: &Batch) -> Self {
        let unknown = |count| vec![UNKNOWN; count];
        Self {
            places: unknown(batch.places.len()),
            stacks: [unknown(batch.frames.len()), unknown(batch.frames.len())],
            groups: vec![None; batch.groups.len()],
            events: vec![None; batch.events.len()],
            commons: FxHashMap::default(),
            walked: vec![false; batch.frames.len()],
            wanted_places: Vec::new(),
            wanted_stacks: Vec::new(),
        }
    }

    pub(super) fn want_place(&mut self, place: PlaceIndex) {
        let id = &mut self.places[place.index()];
        if *id == UNKNOWN {
            *id = WANTED;
            self.wanted_places.push(place);
        }
    }

    pub(super) fn want_stack(&mut self, batch: &Batch, leaf: FrameIndex, is_leaf_only: bool) {
        let id = &mut self.stacks[usize::from(is_leaf_only)][leaf.index()];
        if *id != UNKNOWN {
            return;
        }
        *id = WANTED;
        self.wanted_stacks.push((leaf, is_leaf_only));
        let mut next = Some(leaf);
        while let Some(index) = next
            && !std::mem::replace(&mut self.walked[index.index()], true)
        {
            let frame = batch.frames[index.index()];
            self.want_place(frame.place);
            next = frame.caller;
        }
    }

    /// Looks up what is wanted; a day gets what is new.
    pub(super) fn look_up(&mut self, batch: &Batch, day: &mut ServiceDay) {
        let keys = frame_keys(batch, &self.wanted_places, day);
        let rows = &mut day.rows[Table::Frames as usize];
        let ids = day.ids.frames(&keys, rows);
        for (place, id) in self.wanted_places.drain(..).zip(ids) {
            self.places[place.index()] = id;
        }

        let mut keys = StackKeys::default();
        for (leaf, is_leaf_only) in &self.wanted_stacks {
            let caller = |frame: &FrameIndex| batch.frames[frame.index()].caller;
            let frames = std::iter::successors(Some(*leaf), caller);
            let places = frames.map(|frame| batch.frames[frame.index()].place);
            keys.push(*is_leaf_only, places.map(|place| self.place(place)));
        }
        let rows = &mut day.rows[Table::Stacks as usize];
        let ids = day.ids.stacks(&keys, rows);
        for ((leaf, is_leaf_only), id) in self.wanted_stacks.drain(..).zip(ids) {
            self.stacks[usize::from(is_leaf_only)][leaf.index()] = id;
        }
    }

    /// Returns the id of the frame of a place that was looked up.
    pub(super) fn place(&self, place: PlaceIndex) -> i32 {
        self.places[place.index()]
    }

    /// Returns the id of a stack that was looked up.
    pub(super) fn stack(&self, leaf: FrameIndex, is_leaf_only: bool) -> i32 {
        self.stacks[usize::from(is_leaf_only)][leaf.index()]
    }
}

/// Returns what the frames of places are in a day.
fn frame_keys(batch: &Batch, places: &[PlaceIndex], day: &mut ServiceDay) -> Vec<FrameKey> {
    let texts = &mut day.texts;
    let nothing = texts.number("");
    let mut binaries = vec![None; batch.binaries.len()];
    let key = |place: &PlaceIndex| {
        let (binary, file_offset, name) = match batch.places[place.index()] {
            Place::Code { binary, offset } => (binary, offset as i64, None),
            Place::Named { binary, name } => (binary, 0, Some(&batch.names[name.index()])),
        };
        let [file, file_build, file_kind] = *binaries[binary.index()].get_or_insert_with(|| {
            let binary = &batch.binaries[binary.index()];
            let build = binary.build_id.as_ref();
            let build = build.map_or_else(String::new, ToString::to_string);
            [&*binary.path, &*build, kind_name(binary.kind)].map(|text| texts.number(text))
        });
        FrameKey {
            file,
            file_build,
            file_kind,
            is_named: name.is_some(),
            file_offset,
            name: name.map_or(nothing, |name| texts.number(name)),
        }
    };
    places.iter().map(key).collect()
}
