//! Binaries, opened with their debug files for a look: a file that was recorded, or a file that the user names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_inputs::debug_file::{Loaded, of_recorded};
use hone_inputs::given::given_for;
use hone_profile::Binary as Recorded;
use hone_run::advice::Advise;
use hone_symbols::{Binary, MadeNames};

use crate::selection::Selection;

/// Calls `look` with the file that was recorded: the file given for it, or the file at its path, or debuginfod's, if
/// that file is the recorded build.
pub fn look_into<T>(
    recorded: &Recorded,
    selection: &Selection,
    look: impl FnOnce(&Path, &Binary<'_>) -> T,
) -> Result<T> {
    let given = given_for(recorded, &selection.binaries);
    let debug_file = given.and(selection.debug_file.as_deref());
    let file = given.map_or_else(|| of_recorded(recorded), PathBuf::clone);
    let loaded = Loaded::read(&file, debug_file)?;
    let names = MadeNames::default();
    let binary = Binary::parse_with_bodies(loaded.image(), &names)?;
    if let (Some(was), Some(is)) = (&recorded.build_id, binary.build_id())
        && was != is
    {
        return Err(anyhow!(
            "the file there now is another build ({is}) than the recorded one ({was}); give a copy of that with \
             --binary"
        ));
    }
    Ok(look(loaded.path(), &binary))
}

/// Calls `look` with a binary and the names in its debug file.
///
/// # Errors
///
/// Returns an error if the file cannot be read or is not an ELF file.
pub fn with_binary<T>(
    path: &Path,
    look: impl FnOnce(&Loaded, &Binary<'_>) -> Result<T>,
) -> Result<T> {
    let loaded = Loaded::read(path, None)?;
    let names = MadeNames::default();
    let binary = Binary::parse_with_bodies(loaded.image(), &names)
        .with_context(|| path.display().to_string())
        .next("name an ELF program or shared library for x86-64")?;
    look(&loaded, &binary)
}
