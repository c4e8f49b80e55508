//! What a binary takes from shared libraries.

use object::{Object, ObjectSymbol};

use crate::SymbolError;
use crate::binary::open;

/// Names of the functions and variables that the dynamic linker must find elsewhere, in the order of the
/// table. A statically linked program has none.
pub fn imported_symbols(image: &[u8]) -> Result<Vec<&str>, SymbolError> {
    let elf = open(image)?;
    let undefined = elf.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    let names = undefined.filter_map(|symbol| symbol.name().ok());
    Ok(names.filter(|name| !name.is_empty()).collect())
}
