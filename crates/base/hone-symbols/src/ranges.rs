//! The byte ranges of an ELF file that this crate reads.

use crate::error::SymbolError;
use object::read::{Object, ObjectSection, ReadCache};
use std::io::{Read, Seek};
use std::ops::Range;

/// Sections of debug information without facts about code and lines: places of variables, indexes, macros.
const UNUSED: [&str; 11] = [
    ".debug_loc",
    ".debug_loclists",
    ".debug_aranges",
    ".debug_names",
    ".debug_pubnames",
    ".debug_pubtypes",
    ".debug_gnu_pubnames",
    ".debug_gnu_pubtypes",
    ".debug_macro",
    ".debug_types",
    ".gdb_index",
];

/// Returns true if a section with this name is ever read.
pub(crate) fn is_needed(name: &str) -> bool {
    // The sections of split debug information have the same names, with `.dwo` behind them.
    !UNUSED.contains(&name.strip_suffix(".dwo").unwrap_or(name))
}

/// Returns the parts of a file of `len` bytes that are read from an [`Image`](crate::Image), in order. The other parts,
/// which may be most of a large file, can be zero in the image.
pub fn needed_ranges<R: Read + Seek>(file: R, len: u64) -> Result<Vec<Range<u64>>, SymbolError> {
    let cache = ReadCache::new(file);
    let elf = object::read::elf::ElfFile64::<object::LittleEndian, _>::parse(&cache)?;
    let unused = elf
        .sections()
        .filter(|section| section.name().is_ok_and(|name| !is_needed(name)));
    let mut holes: Vec<Range<u64>> = unused
        .filter_map(|section| section.file_range())
        .filter_map(|(start, size)| Some(start..start.checked_add(size)?))
        .filter(|hole| hole.end <= len)
        .collect();
    holes.sort_by_key(|hole| hole.start);
    let mut needed = Vec::new();
    let mut at = 0;
    for hole in holes {
        if hole.start > at {
            needed.push(at..hole.start);
        }
        at = at.max(hole.end);
    }
    if at < len {
        needed.push(at..len);
    }
    Ok(needed)
}
