//! Tables of a batch that is being made.

use std::hash::Hash;

use hone_profile::{Binary, BinaryKind, Event, Interner};
use rustc_hash::FxHashMap;

use crate::adding::LEFT_OUT;
use crate::batch::{
    BinaryIndex, EventIndex, Frame, FrameIndex, Group, GroupIndex, NameIndex, Place, PlaceIndex,
};

/// Group and two places, of a branch or a range.
pub(crate) type Edge = (GroupIndex, PlaceIndex, PlaceIndex);

/// Tables in the order of arrival, with an index for each; rows of samples are kept by who makes the batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) events: Interner<Event>,
    pub(crate) binaries: Interner<Binary>,
    pub(crate) names: Interner<String>,
    pub(crate) places: Interner<Place>,
    pub(crate) frames: Interner<Frame>,
    pub(crate) groups: Interner<Group>,
    pub(crate) branches: FxHashMap<Edge, [u64; 2]>,
    pub(crate) ranges: FxHashMap<Edge, [u64; 1]>,
    pub(crate) records: FxHashMap<(EventIndex, GroupIndex), [u64; 3]>,
}

/// Adds counts to a row.
pub(crate) fn add<K: Eq + Hash, const N: usize>(
    rows: &mut FxHashMap<K, [u64; N]>,
    key: K,
    counts: [u64; N],
) {
    let sums = rows.entry(key).or_insert([0; N]);
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum = sum.saturating_add(count);
    }
}

impl Tables {
    pub(crate) fn code(&mut self, binary: &Binary, offset: u64) -> PlaceIndex {
        let binary = BinaryIndex(self.binaries.intern(binary));
        PlaceIndex(self.places.intern(&Place::Code { binary, offset }))
    }

    pub(crate) fn named(&mut self, binary: &Binary, name: &str) -> PlaceIndex {
        let binary = BinaryIndex(self.binaries.intern(binary));
        let name = NameIndex(self.names.intern(&name.to_owned()));
        PlaceIndex(self.places.intern(&Place::Named { binary, name }))
    }

    /// Returns the place of a name, or else of an offset, if it is there.
    pub(crate) fn known(
        &self,
        binary: &Binary,
        name: Option<&str>,
        offset: u64,
    ) -> Option<PlaceIndex> {
        let binary = BinaryIndex(self.binaries.number(binary)?);
        let place = match name {
            Some(name) => Place::Named {
                binary,
                name: NameIndex(self.names.number(&name.to_owned())?),
            },
            None => Place::Code { binary, offset },
        };
        self.places.number(&place).map(PlaceIndex)
    }

    /// Returns the place for what has no room: the file, if it is there, and else [`LEFT_OUT`].
    pub(crate) fn without_room(&mut self, binary: &Binary) -> PlaceIndex {
        if self.binaries.number(binary).is_some() {
            return self.code(binary, 0);
        }
        let nowhere = Binary {
            path: LEFT_OUT.to_owned(),
            build_id: None,
            kind: BinaryKind::Anonymous,
        };
        self.named(&nowhere, LEFT_OUT)
    }

    pub(crate) fn frame(&mut self, place: PlaceIndex, caller: Option<FrameIndex>) -> FrameIndex {
        FrameIndex(self.frames.intern(&Frame { place, caller }))
    }

    pub(crate) fn add_branches(&mut self, edge: Edge, taken: u64, mispredicted: u64) {
        add(&mut self.branches, edge, [taken, mispredicted]);
    }

    pub(crate) fn add_ranges(&mut self, edge: Edge, times: u64) {
        add(&mut self.ranges, edge, [times]);
    }

    pub(crate) fn add_records(&mut self, event: EventIndex, group: GroupIndex, counts: [u64; 3]) {
        add(&mut self.records, (event, group), counts);
    }
}
