//! The procedure linkage table: stubs that jump on through the GOT.
//!
//! A call to `memcpy` is recorded as two branches, into the stub and out of it. The stub has no symbol; its
//! name is found through the GOT slot that it reads and the relocation of that slot. Stubs are recognised
//! by that one instruction (`jmp *slot(%rip)`, bytes `ff 25`), which all forms of the table share.

use crate::binary::{Elf, in_ranges};
use hone_profile::Svma;
use object::LittleEndian;
use object::read::elf::{Rela, SectionHeader};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// `jmp *disp32(%rip)` without its displacement.
const JUMP_THROUGH_SLOT: [u8; 2] = [0xff, 0x25];
const JUMP_THROUGH_SLOT_BYTES: usize = 6;

/// One stub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PltEntry<'a> {
    /// Address of the first byte.
    pub start: Svma,
    /// Address after the last byte.
    pub end: Svma,
    /// Function that the stub jumps to; `None` if no relocation names the function.
    pub symbol: Option<&'a str>,
}

/// All stubs of a binary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plt<'a> {
    ranges: Vec<Range<u64>>,
    entries: Vec<PltEntry<'a>>,
    slots: FxHashMap<u64, &'a str>,
}

impl<'a> Plt<'a> {
    pub(crate) fn read(elf: &Elf<'a>) -> Self {
        let endian = LittleEndian;
        let slots = slot_names(elf);
        let table = elf.elf_section_table();
        let mut plt = Self::default();
        for header in table.iter() {
            let (Ok(name), Ok(data)) = (
                table.section_name(endian, header),
                header.data(endian, elf.data()),
            ) else {
                continue;
            };
            if !matches!(name, b".plt" | b".plt.sec" | b".plt.got" | b".iplt") || data.is_empty() {
                continue;
            }
            let start = header.sh_addr(endian);
            let stub_bytes = match header.sh_entsize(endian) {
                size @ (8 | 16 | 32) => size,
                _ => 16,
            };
            plt.ranges
                .push(start..start.saturating_add(data.len() as u64));
            plt.entries.extend(stubs(data, start, stub_bytes, &slots));
        }
        plt.slots = slots;
        plt.ranges.sort_by_key(|range| range.start);
        plt.entries.sort_by_key(|entry| entry.start);
        plt
    }

    /// Returns the address ranges of `.plt`, `.plt.sec`, `.plt.got` and `.iplt`, sorted.
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    /// Returns true if the address lies in one of these ranges.
    pub fn contains(&self, svma: Svma) -> bool {
        in_ranges(&self.ranges, svma.0)
    }

    /// Returns the stub that holds the address.
    pub fn entry_at(&self, svma: Svma) -> Option<&PltEntry<'a>> {
        let next = self.entries.partition_point(|entry| entry.start <= svma);
        self.entries[..next].last().filter(|entry| svma < entry.end)
    }

    /// Returns the dynamic symbol whose address the dynamic linker stores in a GOT slot.
    pub fn slot_symbol(&self, slot: Svma) -> Option<&'a str> {
        self.slots.get(&slot.0).copied()
    }

    /// Returns all stubs, sorted by address.
    pub fn entries(&self) -> &[PltEntry<'a>] {
        &self.entries
    }
}

/// Returns the dynamic symbol that is stored in each GOT slot, by the address of the slot.
fn slot_names<'a>(elf: &Elf<'a>) -> FxHashMap<u64, &'a str> {
    let endian = LittleEndian;
    let symbols = elf.elf_dynamic_symbol_table();
    let mut names = FxHashMap::default();
    for section in elf.elf_section_table().iter() {
        let Ok(Some((relocations, _))) = section.rela(endian, elf.data()) else {
            continue;
        };
        for relocation in relocations {
            let index = object::SymbolIndex(relocation.r_sym(endian, false) as usize);
            if index.0 == 0 {
                continue;
            }
            let name = symbols
                .symbol(index)
                .and_then(|symbol| symbols.symbol_name(endian, symbol))
                .map(std::str::from_utf8);
            if let Ok(Ok(name)) = name {
                names.insert(relocation.r_offset(endian), name);
            }
        }
    }
    names
}

fn stubs<'a>(
    data: &[u8],
    start: u64,
    stub_bytes: u64,
    slots: &FxHashMap<u64, &'a str>,
) -> Vec<PltEntry<'a>> {
    let mut found = Vec::new();
    for (index, stub) in data.chunks(stub_bytes as usize).enumerate() {
        let stub_start = start.wrapping_add(index as u64 * stub_bytes);
        let jump = stub
            .windows(JUMP_THROUGH_SLOT_BYTES)
            .position(|w| w[..2] == JUMP_THROUGH_SLOT);
        let symbol = jump.and_then(|at| {
            let displacement: [u8; 4] = stub[at + 2..at + 6].try_into().ok()?;
            let next = stub_start.wrapping_add((at + JUMP_THROUGH_SLOT_BYTES) as u64);
            let slot = next.wrapping_add_signed(i64::from(i32::from_le_bytes(displacement)));
            slots.get(&slot).copied()
        });
        found.push(PltEntry {
            start: Svma(stub_start),
            end: Svma(stub_start.wrapping_add(stub.len() as u64)),
            symbol,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stub_is_named_after_the_slot_it_jumps_through() {
        let mut section = vec![0xff, 0x35, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0, 0, 0, 0, 0];
        section.extend([0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0x10, 0, 0, 0]);
        section.resize(32, 0x90);
        let slot = 0x1010 + 10 + 0x10;
        let entries = stubs(
            &section,
            0x1000,
            16,
            &FxHashMap::from_iter([(slot, "memcpy")]),
        );
        let plt = Plt {
            ranges: std::iter::once(0x1000..0x1020).collect(),
            entries,
            slots: FxHashMap::from_iter([(slot, "memcpy")]),
        };
        assert_eq!(plt.entry_at(Svma(0x1014)).unwrap().symbol, Some("memcpy"));
        assert_eq!(plt.entry_at(Svma(0x1004)).unwrap().symbol, None);
        assert_eq!(plt.entry_at(Svma(0x1020)), None);
        assert_eq!(plt.slot_symbol(Svma(slot)), Some("memcpy"));
        assert_eq!(plt.slot_symbol(Svma(slot + 8)), None);
    }
}
