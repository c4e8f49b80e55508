//! What a binary takes from shared libraries.

use object::LittleEndian;
use object::read::elf::{FileHeader, Sym};

use crate::SymbolError;

/// Names of the functions and variables that the dynamic linker must find elsewhere, in the order of the
/// table, each once. A statically linked program has none.
pub fn imported_symbols(image: &[u8]) -> Result<Vec<&str>, SymbolError> {
    let header = object::elf::FileHeader64::<LittleEndian>::parse(image)?;
    let endian = LittleEndian;
    let sections = header.sections(endian, image)?;
    let symbols = sections.symbols(endian, image, object::elf::SHT_DYNSYM)?;
    let undefined = symbols.iter().filter(|symbol| symbol.is_undefined(endian));
    let names = undefined.filter_map(|symbol| symbol.name(endian, symbols.strings()).ok());
    let names = names.filter_map(|name| std::str::from_utf8(name).ok());
    Ok(names.filter(|name| !name.is_empty()).collect())
}
