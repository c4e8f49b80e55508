//! Labels of computed gotos (`goto *table[code]`, an extension of GCC and clang): places within functions whose addresses are data.

use crate::SymbolError;
use crate::binary::{Binary, BinaryType, open};
use crate::words::{WORD, Words};
use hone_profile::Svma;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the number of places within each function whose address the binary holds as data, by the start of the function; functions
/// without such places are not listed. In a binary that is loaded where it was linked (`-no-pie`), places that a switch jumps to count
/// too, since nothing tells their tables apart.
///
/// # Errors
///
/// Returns an error if the binary's headers cannot be read.
pub fn labels(binary: &Binary<'_>) -> Result<BTreeMap<Svma, usize>, SymbolError> {
    let elf = open(binary.data())?;
    let words = Words::new(&elf, binary);
    let mut places: BTreeMap<Svma, BTreeSet<u64>> = BTreeMap::new();
    let mut add = |value: u64| {
        if !binary.is_executable(Svma(value)) {
            return;
        }
        if let Some(function) = binary.function_at(Svma(value))
            && function.start.0 != value
        {
            places.entry(function.start).or_default().insert(value);
        }
    };
    words.relocated().for_each(&mut add);
    if binary.kind() == BinaryType::Fixed {
        let data = binary.sections().iter();
        for section in data.filter(|section| section.loaded && !section.executable) {
            // A section without bytes in the file has no words.
            let bytes = binary.bytes_at(section.svma, section.size);
            let words = bytes.unwrap_or_default().chunks_exact(WORD as usize);
            words
                .filter_map(|word| Some(u64::from_le_bytes(word.try_into().ok()?)))
                .for_each(&mut add);
        }
    }
    let places = places.into_iter();
    Ok(places
        .map(|(function, places)| (function, places.len()))
        .collect())
}
