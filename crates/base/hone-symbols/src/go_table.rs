//! Go's own table of functions (`.gopclntab`), which stays when a program is stripped: Go's stacks and panics need the table.
//!
//! Three layouts are read: of Go 1.16, 1.18 and 1.20 (`src/debug/gosym/pclntab.go` of Go has all of them). Older layouts
//! are not read.

use crate::binary::Elf;
use crate::bodies::Body;
use object::LittleEndian;
use object::read::elf::{Rela, SectionHeader};
use object::read::{Object, ObjectSection};

const GO_1_16: u32 = 0xffff_fffa;
const GO_1_18: u32 = 0xffff_fff0;
const GO_1_20: u32 = 0xffff_fff1;
/// Function at which a Go program without C code starts.
const START: &str = "_rt0_amd64_linux";
/// Maximum length of a name in bytes.
const NAME_MAX: usize = 1 << 14;
const WORD: usize = 8;
/// Offset of the header, behind the magic number, two zeros, the unit of code and the size of a word.
const HEADER_AT: usize = 8;
/// Offset of the address where code starts; the header has this word since Go 1.18.
const TEXT_START_AT: usize = HEADER_AT + 2 * WORD;

/// Returns the functions of a Go program, sorted; empty for other programs.
pub(crate) fn functions<'a>(elf: &Elf<'a>) -> Vec<Body<'a>> {
    let mut sections = elf.sections();
    let section = sections.find(|section| {
        section
            .name()
            .is_ok_and(|name| name.ends_with(".gopclntab"))
    });
    let Some(section) = section else {
        return Vec::new();
    };
    let table = section.data().unwrap_or_default();
    let Some(mut layout) = Layout::of(table) else {
        return Vec::new();
    };
    let is_guessed = layout.has_offsets && layout.text_start == 0;
    if is_guessed {
        let slot = section.address().wrapping_add(TEXT_START_AT as u64);
        let text = elf.section_by_name(".text").map(|text| text.address());
        layout.text_start = relocated(elf, slot).or(text).unwrap_or(0);
    }
    let found = layout.functions(table);
    let starts_there = |(range, name): &Body<'_>| *name == START && range.start == elf.entry();
    if is_guessed && !found.iter().any(starts_there) && has_c(&found) {
        // C code lies before Go's code, and its size is unknown.
        return Vec::new();
    }
    found
}

/// Returns true if a program was linked with C code.
fn has_c(functions: &[Body<'_>]) -> bool {
    functions
        .iter()
        .any(|(_, name)| *name == "x_cgo_init" || *name == "runtime/cgo._cgo_panic")
}

/// Returns the number that the dynamic linker adds to its base and stores in the slot.
fn relocated(elf: &Elf<'_>, slot: u64) -> Option<u64> {
    let endian = LittleEndian;
    for section in elf.elf_section_table().iter() {
        let Ok(Some((relocations, _))) = section.rela(endian, elf.data()) else {
            continue;
        };
        let found = relocations
            .iter()
            .find(|relocation| relocation.r_offset(endian) == slot);
        if let Some(found) = found {
            return u64::try_from(found.r_addend(endian)).ok();
        }
    }
    None
}

/// Layout of the table.
struct Layout {
    count: usize,
    text_start: u64,
    /// True if functions are given by offsets of 4 bytes from the start of the code.
    has_offsets: bool,
    names_at: usize,
    functions_at: usize,
}

impl Layout {
    fn of(table: &[u8]) -> Option<Self> {
        let magic = u32::from_le_bytes(table.get(..4)?.try_into().ok()?);
        if usize::from(*table.get(7)?) != WORD {
            return None;
        }
        let has_offsets = match magic {
            GO_1_16 => false,
            GO_1_18 | GO_1_20 => true,
            _ => return None,
        };
        let header = |index: usize| word(table, HEADER_AT + index * WORD, WORD);
        // Since Go 1.18 the start of the code comes before the offsets of the parts.
        let shift = usize::from(has_offsets);
        Some(Self {
            count: usize::try_from(header(0)?).ok()?,
            text_start: if has_offsets { header(2)? } else { 0 },
            has_offsets,
            names_at: usize::try_from(header(2 + shift)?).ok()?,
            functions_at: usize::try_from(header(6 + shift)?).ok()?,
        })
    }

    fn functions<'a>(&self, table: &'a [u8]) -> Vec<Body<'a>> {
        let all = table.get(self.functions_at..).unwrap_or_default();
        let field = if self.has_offsets { 4 } else { WORD };
        // The table has one address more than functions: the end of the last function.
        let count = self.count.min(all.len() / (2 * field));
        let address = |index: usize| {
            let value = word(all, index * 2 * field, field)?;
            value.checked_add(self.text_start)
        };
        let one = |index: usize| {
            let at = word(all, index * 2 * field + field, field)?;
            // The description of a function begins with its address, then its name follows.
            let name_field = usize::try_from(at).ok()?.checked_add(field)?;
            let name = usize::try_from(word(all, name_field, 4)?).ok()?;
            let name = text(table.get(self.names_at.checked_add(name)?..)?)?;
            let range = address(index)?..address(index + 1)?;
            (range.start < range.end && !name.is_empty()).then_some((range, name))
        };
        (0..count).filter_map(one).collect()
    }
}

fn word(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    let mut word = [0; WORD];
    word[..len].copy_from_slice(bytes.get(at..at.checked_add(len)?)?);
    Some(u64::from_le_bytes(word))
}

fn text(bytes: &[u8]) -> Option<&str> {
    let bytes = &bytes[..bytes.len().min(NAME_MAX)];
    let end = bytes.iter().position(|&byte| byte == 0)?;
    std::str::from_utf8(&bytes[..end]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a table of two functions in the layout of Go 1.20.
    fn table() -> Vec<u8> {
        let mut table = GO_1_20.to_le_bytes().to_vec();
        table.extend([0, 0, 1, 8]);
        for value in [2_u64, 0, 0x1000, 72, 0, 0, 0, 88] {
            table.extend(value.to_le_bytes());
        }
        table.extend(b"main.f\0main.g\0\0\0");
        for value in [0_u32, 20, 0x40, 28, 0x60, 0, 0, 7] {
            table.extend(value.to_le_bytes());
        }
        // The first description is 20 bytes behind the start of the functions: address, name; the second follows.
        table.truncate(88 + 20);
        for value in [0_u32, 0, 0x40, 7] {
            table.extend(value.to_le_bytes());
        }
        table
    }

    #[test]
    fn names_and_ranges_come_out_of_the_table() {
        let table = table();
        let layout = Layout::of(&table).unwrap();
        let found = layout.functions(&table);
        assert_eq!(
            found,
            [(0x1000..0x1040, "main.f"), (0x1040..0x1060, "main.g")]
        );
    }

    #[test]
    fn a_damaged_table_gives_less_and_no_panic() {
        let whole = table();
        for len in 0..whole.len() {
            let cut = &whole[..len];
            if let Some(layout) = Layout::of(cut) {
                assert!(layout.functions(cut).len() <= 2);
            }
        }
        for at in 0..whole.len() {
            let mut bad = whole.clone();
            bad[at] = 0xff;
            if let Some(layout) = Layout::of(&bad) {
                layout.functions(&bad);
            }
        }
    }
}
