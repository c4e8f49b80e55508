//! Words of a binary's data as they are once the binary is loaded.

use crate::binary::{Binary, Elf};
use hone_profile::Svma;
use object::LittleEndian;
use object::elf;
use object::read::elf::{Rela, SectionHeader, Sym};
use rustc_hash::FxHashMap;

/// Bytes of a word.
pub(crate) const WORD: u64 = 8;

/// Content of a word of the binary's data after loading.
#[derive(Clone, Copy)]
pub(crate) enum Word<'a> {
    Value(u64),
    /// Address of a symbol in another binary.
    Outside(&'a str),
}

/// Words with their relocations.
pub(crate) struct Words<'a, 'b> {
    pub(crate) binary: &'b Binary<'a>,
    relocated: FxHashMap<u64, Word<'a>>,
}

impl<'a, 'b> Words<'a, 'b> {
    pub(crate) fn new(file: &Elf<'a>, binary: &'b Binary<'a>) -> Self {
        let endian = LittleEndian;
        let symbols = file.elf_dynamic_symbol_table();
        let mut relocated = FxHashMap::default();
        for section in file.elf_section_table().iter() {
            // Relocations left by `--emit-relocs` are not for the loader, and name other symbols.
            if section.sh_flags(endian).0 & elf::SHF_ALLOC.0 == 0 {
                continue;
            }
            let Ok(Some((relocations, _))) = section.rela(endian, file.data()) else {
                continue;
            };
            for relocation in relocations {
                let addend = relocation.r_addend(endian);
                let index = object::SymbolIndex(relocation.r_sym(endian, false) as usize);
                let word = if index.0 == 0 {
                    Word::Value(addend as u64)
                } else {
                    let Ok(symbol) = symbols.symbol(index) else {
                        continue;
                    };
                    let name = symbols.symbol_name(endian, symbol).map(std::str::from_utf8);
                    match name {
                        Ok(Ok(name)) if symbol.is_undefined(endian) => Word::Outside(name),
                        _ => Word::Value(symbol.st_value(endian).wrapping_add_signed(addend)),
                    }
                };
                relocated.insert(relocation.r_offset(endian), word);
            }
        }
        Self { binary, relocated }
    }

    pub(crate) fn at(&self, address: u64) -> Option<Word<'a>> {
        if let Some(word) = self.relocated.get(&address) {
            return Some(*word);
        }
        let bytes = self.binary.bytes_at(Svma(address), WORD)?;
        Some(Word::Value(u64::from_le_bytes(bytes.try_into().ok()?)))
    }

    pub(crate) fn value_at(&self, address: u64) -> Option<u64> {
        match self.at(address)? {
            Word::Value(value) => Some(value),
            Word::Outside(_) => None,
        }
    }

    /// Returns the values of all words that are relocated, to addresses of this binary.
    pub(crate) fn relocated(&self) -> impl Iterator<Item = u64> + '_ {
        self.relocated.values().filter_map(|word| match word {
            Word::Value(value) => Some(*value),
            Word::Outside(_) => None,
        })
    }
}
