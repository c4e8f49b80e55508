//! Functions of places, for sums by function: what hosts named, what symbols name, and files where nothing does.

use hone_batch::{Batch, Place, PlaceIndex};
use hone_symbols::section_of_made_name;
use hone_views::readable;

use crate::store::StoreError;
use crate::symbols::{BatchNames, Symbols, SymbolsError};

/// Functions of the places of a batch.
pub(super) struct Named<'b> {
    batch: &'b Batch,
    names: BatchNames,
}

/// Names the places of a batch.
pub(super) fn named<'b>(
    symbols: Option<&Symbols>,
    tenant: &str,
    batch: &'b Batch,
    now_s: u64,
) -> Result<Named<'b>, StoreError> {
    let names = symbols.map(|symbols| symbols.name_batch(tenant, batch, now_s));
    let names = match names.unwrap_or_else(|| Ok(BatchNames::default())) {
        Ok(names) => names,
        Err(SymbolsError::Store(error)) => return Err(error),
        // Files count as their names then, as where there are no symbols.
        Err(_) => BatchNames::default(),
    };
    Ok(Named { batch, names })
}

impl Named<'_> {
    /// Returns the functions of a place, innermost first.
    ///
    /// Code without a name counts as its file, as a whole: offsets are others in each build, so that nothing could be compared by them.
    pub(super) fn at(&self, place: PlaceIndex, is_return: bool) -> Vec<String> {
        let binary = match self.batch.places[place.index()] {
            Place::Named { name, .. } => return vec![self.batch.names[name.index()].clone()],
            Place::Code { binary, .. } => binary,
        };
        let frames = self.names.at(place, is_return);
        let is_named = frames
            .last()
            .is_some_and(|frame| section_of_made_name(&frame.function).is_none());
        match is_named {
            true => frames
                .iter()
                .map(|frame| readable(&frame.function))
                .collect(),
            false => vec![format!("[{}]", self.batch.binaries[binary.index()].path)],
        }
    }
}
