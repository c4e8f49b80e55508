//! Names and first lines of functions.
//!
//! The facts about a function are spread over up to three entries: the concrete entry (with addresses), its abstract origin,
//! and the declaration inside a class. Each fact is taken from the first entry that has it, in the order
//! concrete entry, origin, specification.

use super::{Space, Unit};
use gimli::{AttributeValue, DebugInfoOffset, UnitOffset};
use rustc_hash::FxHashMap;

/// Maximum number of references followed; real chains have at most three links.
const REFERENCES_MAX: usize = 8;

/// Known facts about a function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FunctionInfo<'b> {
    pub(super) linkage_name: Option<&'b str>,
    pub(super) name: Option<&'b str>,
    pub(super) start_line: Option<u32>,
}

impl<'b> FunctionInfo<'b> {
    pub(super) fn best_name(&self) -> &'b str {
        self.linkage_name.or(self.name).unwrap_or("")
    }

    fn fill_from(&mut self, other: Self) {
        self.linkage_name = self.linkage_name.or(other.linkage_name);
        self.name = self.name.or(other.name);
        self.start_line = self.start_line.or(other.start_line);
    }
}

/// Function information by offset in `.debug_info`: many inlined calls share one origin.
pub(super) type Cache<'b> = FxHashMap<usize, FunctionInfo<'b>>;

/// Returns the information of the entry at `offset` of `unit` and of all entries that this entry refers to.
pub(super) fn function<'b>(
    space: &Space<'_, 'b>,
    unit: &Unit<'b>,
    offset: UnitOffset,
    cache: &mut Cache<'b>,
) -> FunctionInfo<'b> {
    follow(space, unit, offset, cache, REFERENCES_MAX)
}

fn follow<'b>(
    space: &Space<'_, 'b>,
    unit: &Unit<'b>,
    offset: UnitOffset,
    cache: &mut Cache<'b>,
    links_left: usize,
) -> FunctionInfo<'b> {
    let Some(DebugInfoOffset(key)) = offset.to_debug_info_offset(&unit.header) else {
        return FunctionInfo::default();
    };
    if let Some(known) = cache.get(&key) {
        return *known;
    }
    let mut found = FunctionInfo::default();
    let Ok(entry) = unit.entry(offset) else {
        return found;
    };
    for attribute in entry.attrs() {
        read_attribute(space, unit, attribute.name(), attribute.value(), &mut found);
    }
    if links_left > 0 {
        for kind in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
            if let Some(value) = entry.attr_value(kind)
                && let Some((unit, offset)) = target(space, unit, value)
            {
                found.fill_from(follow(space, unit, offset, cache, links_left - 1));
            }
        }
    }
    cache.insert(key, found);
    found
}

fn read_attribute<'b>(
    space: &Space<'_, 'b>,
    unit: &Unit<'b>,
    name: gimli::DwAt,
    value: AttributeValue<super::Reader<'b>>,
    found: &mut FunctionInfo<'b>,
) {
    let text = |value| std::str::from_utf8(space.dwarf.attr_string(unit, value).ok()?.slice()).ok();
    match name {
        gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => {
            found.linkage_name = text(value);
        }
        gimli::DW_AT_name => found.name = text(value),
        gimli::DW_AT_decl_line => {
            found.start_line = value
                .udata_value()
                .and_then(|line| u32::try_from(line).ok());
        }
        _ => {}
    }
}

/// Returns the entry that a reference attribute refers to.
fn target<'i, 's: 'i, 'b>(
    space: &Space<'s, 'b>,
    unit: &'i Unit<'b>,
    value: AttributeValue<super::Reader<'b>>,
) -> Option<(&'i Unit<'b>, UnitOffset)> {
    match value {
        AttributeValue::UnitRef(offset) => Some((unit, offset)),
        AttributeValue::DebugInfoRef(offset) => {
            let unit = (space.units)(offset)?;
            Some((unit, offset.to_unit_offset(&unit.header)?))
        }
        _ => None,
    }
}
