//! Symbols and libraries that a binary imports.

use object::{Object, ObjectSymbol, elf};

use crate::SymbolError;
use crate::binary::open;

/// Returns the names of the functions and variables that the dynamic linker must find elsewhere, in the order of the
/// table. A statically linked program has no such names.
pub fn imported_symbols(image: &[u8]) -> Result<Vec<&str>, SymbolError> {
    let elf = open(image)?;
    let undefined = elf.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    let names = undefined.filter_map(|symbol| symbol.name().ok());
    Ok(names.filter(|name| !name.is_empty()).collect())
}

/// Returns the file names of the shared libraries that the binary needs, in the order of the table.
pub fn needed_libraries(image: &[u8]) -> Result<Vec<String>, SymbolError> {
    let file = open(image)?;
    let table = file.elf_section_table();
    let dynamic = table.dynamic_table(file.endian(), file.data())?;
    let needed = dynamic.iter().filter(|entry| entry.tag == elf::DT_NEEDED);
    let names = needed.filter_map(|entry| dynamic.string(entry).ok());
    Ok(names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_names_its_libraries_and_what_it_takes_from_them() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let needed = needed_libraries(&own).unwrap();
        assert!(
            needed.iter().any(|file| file.starts_with("libc.so")),
            "{needed:?}"
        );
        let imported = imported_symbols(&own).unwrap();
        assert!(imported.contains(&"read") && !imported.contains(&"no_such_function"));
    }
}
