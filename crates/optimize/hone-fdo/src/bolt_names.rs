//! Names of functions, as BOLT writes them in its profiles.
//!
//! Global symbols keep their names. Local symbols may share a name, so BOLT numbers them in the order of their
//! addresses: `name/1`, and again with the source file that the symbol table states before the symbol:
//! `name/file.c/1`. BOLT accepts both names; Hone writes the same name as perf2bolt. Symbols of data take part in
//! the numbering. Cold fragments (`f.cold`) are local symbols like others: BOLT finds their function by itself.

use hone_profile::Svma;
use hone_symbols::Binary;
use object::LittleEndian;
use object::elf;
use object::read::elf::{ElfFile64, SectionHeader, Sym};
use rustc_hash::FxHashMap;

/// File name that Clang's LTO writes only sometimes, so BOLT ignores it.
const LTO_FILE: &[u8] = b"ld-temp.o";

/// Names of the functions and PLT stubs of a binary, by start address.
#[derive(Debug, Default)]
pub(crate) struct BoltNames {
    by_start: FxHashMap<u64, String>,
}

struct Symbol<'a> {
    address: u64,
    is_function: bool,
    is_global: bool,
    name: &'a [u8],
    file: &'a [u8],
}

impl BoltNames {
    /// Reads the symbol table again: the function table holds neither bindings nor files.
    pub(crate) fn read(binary: &Binary<'_>) -> Self {
        let elf = ElfFile64::<LittleEndian>::parse(binary.data());
        let mut symbols = elf.as_ref().map(symbols).unwrap_or_default();
        symbols.sort_by_key(|symbol| (symbol.address, !symbol.is_function));
        let mut numbers: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        let mut names = Self::default();
        for stub in binary.plt().entries() {
            if let Some(name) = stub.symbol {
                let name = escape(format!("{name}@PLT"));
                names.by_start.insert(stub.start.0, name);
            }
        }
        for symbol in symbols {
            let name = if symbol.is_global {
                String::from_utf8_lossy(symbol.name).into_owned()
            } else {
                local_name(&symbol, &mut numbers)
            };
            if symbol.is_function {
                names.by_start.entry(symbol.address).or_insert(escape(name));
            }
        }
        // The functions of a stripped binary may come from its debug file.
        for function in binary.functions().iter() {
            let name = || escape(function.name.to_owned());
            names.by_start.entry(function.start.0).or_insert_with(name);
        }
        names
    }

    /// Returns the name of the function or stub that starts at `start`.
    pub(crate) fn of(&self, start: Svma) -> Option<&str> {
        self.by_start.get(&start.0).map(String::as_str)
    }
}

fn symbols<'a>(elf: &ElfFile64<'a, LittleEndian>) -> Vec<Symbol<'a>> {
    let endian = LittleEndian;
    let table = elf.elf_symbol_table();
    let sections = elf.elf_section_table();
    let mut file: &[u8] = b"";
    let mut found = Vec::new();
    for (index, symbol) in table.iter().enumerate() {
        let name = table.symbol_name(endian, symbol).unwrap_or_default();
        let kind = symbol.st_type();
        if kind == elf::STT_FILE {
            if name != LTO_FILE {
                file = name;
            }
            continue;
        }
        let address = symbol.st_value(endian);
        let section = table.symbol_section(endian, symbol, object::SymbolIndex(index));
        let is_loaded = match section {
            Ok(Some(section)) => sections
                .section(section)
                .is_ok_and(|section| section.sh_flags(endian).0 & elf::SHF_ALLOC.0 != 0),
            _ => false,
        };
        if !is_loaded || kind == elf::STT_SECTION || address == 0 || name.is_empty() {
            continue;
        }
        let is_global = symbol.st_bind() != elf::STB_LOCAL;
        found.push(Symbol {
            address,
            is_function: kind == elf::STT_FUNC || kind == elf::STT_GNU_IFUNC,
            is_global,
            name,
            file: if is_global { b"" } else { file },
        });
    }
    found
}

/// Returns `name/file/number` if the file is known, else `name/number`; takes a number for both forms.
fn local_name(symbol: &Symbol<'_>, numbers: &mut FxHashMap<Vec<u8>, u32>) -> String {
    let mut numbered = |name: Vec<u8>| {
        let number = numbers.entry(name.clone()).or_default();
        *number += 1;
        format!("{}/{number}", String::from_utf8_lossy(&name))
    };
    let plain = numbered(symbol.name.to_owned());
    if symbol.is_function && !symbol.file.is_empty() {
        return numbered([symbol.name, b"/", symbol.file].concat());
    }
    plain
}

/// Escapes spaces and backslashes in a name, because spaces separate the fields of the profile.
fn escape(name: String) -> String {
    if name.contains([' ', '\\']) {
        return name.replace('\\', "\\\\").replace(' ', "\\ ");
    }
    name
}
