//! Names of all places of a batch, and which files lack them.

use hone_batch::{Batch, BinaryIndex, EventIndex, FrameIndex, Place, PlaceIndex, Samples};
use hone_profile::BinaryKind;
use hone_symbols::section_of_made_name;
use hone_views::NamedFrame;
use rustc_hash::FxHashMap;

use super::Symbols;
use super::error::SymbolsError;
use super::naming::{Asked, Lack, Lacking, Looked};
use super::table::Frames;

/// Names of the places of a batch. Names are as in symbols; [`hone_views::readable`] gives the form for people.
#[derive(Clone, Debug, Default)]
pub struct BatchNames {
    /// Frames by place: as an instruction, and as an address that a call returns to.
    frames: Vec<[Frames; 2]>,
    /// What files lack as a whole.
    lacks: FxHashMap<BinaryIndex, Lack>,
}

/// A file with places that have no names, and what of an event goes there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The file.
    pub file: Lacking,
    /// Weight of the samples in whose stacks such a place is.
    pub weight: u64,
    /// Weight of the samples whose own instruction is such a place.
    pub own_weight: u64,
}

impl Symbols {
    /// Names all places of a batch.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn name_batch(
        &self,
        tenant: &str,
        batch: &Batch,
        now_s: u64,
    ) -> Result<BatchNames, SymbolsError> {
        let mut places: FxHashMap<BinaryIndex, Vec<(usize, u64)>> = FxHashMap::default();
        for (index, place) in batch.places.iter().enumerate() {
            if let Place::Code { binary, offset } = *place
                && batch.binaries[binary.index()].kind == BinaryKind::File
            {
                places.entry(binary).or_default().push((index, offset));
            }
        }
        let mut names = BatchNames {
            frames: vec![Default::default(); batch.places.len()],
            lacks: FxHashMap::default(),
        };
        for (binary, places) in places {
            let asked = places.iter();
            let asked: Vec<Asked> = asked
                .flat_map(|(_, offset)| [(*offset, false), (*offset, true)])
                .collect();
            let build = batch.binaries[binary.index()].build_id.as_ref();
            match self.look_up(tenant, build, &asked, now_s)? {
                Looked::Lacks(lack) => _ = names.lacks.insert(binary, lack),
                Looked::Frames(frames) => {
                    let mut frames = frames.into_iter();
                    for (index, _) in places {
                        names.frames[index] =
                            std::array::from_fn(|_| frames.next().unwrap_or_default());
                    }
                }
            }
        }
        Ok(names)
    }
}

impl BatchNames {
    /// Returns the frames of a place, innermost first: calls that were inlined there, and last the function of the symbol
    /// table. None if nothing names the place, or if it has a name in the batch. `is_return` is for callers, whose place
    /// is where their callee returns to.
    pub fn at(&self, place: PlaceIndex, is_return: bool) -> &[NamedFrame] {
        let frames = self.frames.get(place.index());
        frames.map_or(&[], |frames| &frames[usize::from(is_return)])
    }

    /// Returns the files with places that have no names, with what of an event goes there, most first.
    pub fn missing(&self, batch: &Batch, event: EventIndex) -> Vec<Missing> {
        let mut weights: FxHashMap<BinaryIndex, [u64; 2]> = FxHashMap::default();
        let of_event = batch.samples.iter().filter(|row| row.event == event);
        for row in of_event {
            self.add_weights(batch, row, &mut weights);
        }
        let mut missing: Vec<Missing> = weights
            .into_iter()
            .map(|(binary, [weight, own_weight])| {
                let lack = self.lacks.get(&binary).copied();
                let file = &batch.binaries[binary.index()];
                Missing {
                    file: Lacking::new(file, lack.unwrap_or(Lack::Names)),
                    weight,
                    own_weight,
                }
            })
            .collect();
        missing.sort_by(|a, b| {
            let heavier = (b.weight, b.own_weight).cmp(&(a.weight, a.own_weight));
            heavier.then_with(|| a.file.cmp(&b.file))
        });
        missing
    }

    fn add_weights(
        &self,
        batch: &Batch,
        row: &Samples,
        weights: &mut FxHashMap<BinaryIndex, [u64; 2]>,
    ) {
        let mut in_stack: Vec<BinaryIndex> = Vec::new();
        let innermost = batch.frames[row.stack.index()].place;
        let own = self.unnamed(batch, row.ip.unwrap_or(innermost), false);
        in_stack.extend(own);
        let mut next: Option<FrameIndex> = Some(row.stack);
        while let Some(frame) = next {
            let is_return = frame != row.stack;
            let frame = batch.frames[frame.index()];
            if let Some(binary) = self.unnamed(batch, frame.place, is_return)
                && !in_stack.contains(&binary)
            {
                in_stack.push(binary);
            }
            next = frame.caller;
        }
        for binary in in_stack {
            let [weight, own_weight] = weights.entry(binary).or_default();
            *weight = weight.saturating_add(row.weight);
            if own == Some(binary) {
                *own_weight = own_weight.saturating_add(row.weight);
            }
        }
    }

    /// Returns the file of a place that has no name, or only one that was made up for a stripped file.
    fn unnamed(&self, batch: &Batch, place: PlaceIndex, is_return: bool) -> Option<BinaryIndex> {
        let Place::Code { binary, .. } = batch.places[place.index()] else {
            return None;
        };
        let is_file = batch.binaries[binary.index()].kind == BinaryKind::File;
        let outermost = self.at(place, is_return).last();
        let is_named =
            outermost.is_some_and(|frame| section_of_made_name(&frame.function).is_none());
        (is_file && !is_named).then_some(binary)
    }
}
