//! Binaries of one question, each opened and parsed once with its debug files, whatever is asked of it: the files that were
//! recorded, and the file that the user names.
//!
//! [`Binaries`] owns all of it and goes through the whole question. What is parsed borrows from what was read, which lies in
//! the same owner: hence `&'q Binaries<'q>`. A binary stays in memory until the question is answered.

use std::cell::OnceCell;
use std::path::Path;

use anyhow::{Context, Error, Result, anyhow};
use hone_files::advice::Advise;
use hone_inputs::debug_file::Loaded;
use hone_inputs::elf_files::ElfFiles;
use hone_inputs::recorded_files::{Place, RecordedFiles};
use hone_profile::Binary as Recorded;
use hone_symbols::{Binary, DebugInfo, MadeNames};

use crate::memo::Memo;
use crate::selection::Selection;

/// Binaries of one question, which may be about several recordings.
pub struct Binaries<'q> {
    files: RecordedFiles,
    held: Memo<Place, Result<Held<'q>, String>>,
}

/// A file that was read, and what has been parsed of it. Errors are text, since each of them may be told several times.
struct Held<'q> {
    loaded: Loaded,
    names: MadeNames,
    binary: OnceCell<Result<Binary<'q>, String>>,
    debug: OnceCell<Result<DebugInfo<'q>, String>>,
}

/// A file that is the recorded build.
#[derive(Clone, Copy)]
pub struct Opened<'q> {
    held: &'q Held<'q>,
    /// The parsed file.
    pub binary: &'q Binary<'q>,
}

impl<'q> Binaries<'q> {
    /// Creates the binaries of a question: those of its recordings, or the files that the selection has for them.
    pub fn of(selection: &Selection) -> Self {
        Self::among(selection, ElfFiles::default())
    }

    /// Creates the binaries of a question among files.
    pub(crate) fn among(selection: &Selection, files: ElfFiles) -> Self {
        let debug_file = selection.debug_file.as_deref();
        Self {
            files: RecordedFiles::given(&selection.binaries, debug_file, files),
            held: Memo::default(),
        }
    }

    /// The files of the binaries.
    pub(crate) fn files(&self) -> &RecordedFiles {
        &self.files
    }

    /// Opens the file that was recorded: the file given for it, or the file at its path, or debuginfod's.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is no ELF file, or is not the recorded build.
    pub fn open(&'q self, recorded: &Recorded) -> Result<Opened<'q>> {
        let place = self.files.find(recorded);
        let held = self.held.get(&place, || {
            let loaded =
                Loaded::read_from(self.files.elf(), &place.file, place.debug_file.as_deref());
            loaded.map(Held::new).map_err(text)
        });
        let held = held.as_ref().map_err(told)?;
        let binary = held.binary()?;
        if let (Some(was), Some(is)) = (&recorded.build_id, binary.build_id())
            && was != is
        {
            return Err(anyhow!(
                "the file there now is another build ({is}) than the recorded one ({was}); give a copy of that with \
                 --binary"
            ));
        }
        Ok(Opened { held, binary })
    }
}

impl<'q> Held<'q> {
    fn new(loaded: Loaded) -> Self {
        Self {
            loaded,
            names: MadeNames::default(),
            binary: OnceCell::new(),
            debug: OnceCell::new(),
        }
    }

    fn binary(&'q self) -> Result<&'q Binary<'q>> {
        let parse = || Binary::parse_with_bodies(self.loaded.image(), &self.names);
        let binary = self.binary.get_or_init(|| parse().map_err(text));
        binary.as_ref().map_err(told)
    }
}

impl<'q> Opened<'q> {
    /// Path of the file.
    pub fn path(self) -> &'q Path {
        self.held.loaded.path()
    }

    /// Returns the debug information of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the debug information cannot be read at all.
    pub fn debug(self) -> Result<&'q DebugInfo<'q>> {
        let parse = || DebugInfo::parse(self.binary);
        let debug = self.held.debug.get_or_init(|| parse().map_err(text));
        debug.as_ref().map_err(told)
    }
}

fn text(error: impl Into<Error>) -> String {
    format!("{:#}", error.into())
}

fn told(error: &String) -> Error {
    anyhow!("{error}")
}

/// Calls `look` with a binary that the user names, and the names in its debug file.
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

#[cfg(test)]
mod tests;
