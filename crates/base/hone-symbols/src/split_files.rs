//! The files of a program built with `-gsplit-dwarf`, which keep most of its debug information beside the binary.

use std::fmt::Debug;
use std::io::{Read, Seek};

use crate::error::SymbolError;
use object::LittleEndian;
use object::read::elf::ElfFile64;
use object::read::{Object, ReadCache};

/// A file that is read in parts.
pub trait ReadSeek: Read + Seek + Send {}

impl<F: Read + Seek + Send> ReadSeek for F {}

/// Name that a unit gives to the file with its debug information.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitName {
    /// Directory of the compilation; empty if the unit names no directory.
    pub directory: String,
    /// Path of the file, relative to the directory as a rule.
    pub file: String,
}

impl SplitName {
    /// Returns the path where the compiler wrote the file.
    pub fn path(&self) -> String {
        if self.directory.is_empty() || self.file.starts_with('/') {
            return self.file.clone();
        }
        format!("{}/{}", self.directory, self.file)
    }
}

/// Source of the files with split debug information. A file is asked for when the first address in one of its units is asked
/// for, and at most once for each unit.
pub trait SplitFiles: Debug + Sync {
    /// Opens the package (`.dwp`) of the binary.
    fn package(&self) -> Option<Box<dyn ReadSeek>>;

    /// Opens the files (`.dwo`) that may be the file with this name, the likeliest first.
    fn objects<'s>(&'s self, name: &SplitName) -> Box<dyn Iterator<Item = Box<dyn ReadSeek>> + 's>;
}

/// Units of split debug information that were asked for and could not be read. Their functions have no source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SplitLosses {
    /// Units whose file was not found.
    pub missing: u64,
    /// Units whose file is there, but was compiled at another time.
    pub other_build: u64,
    /// Units whose file or package is damaged.
    pub malformed: u64,
    /// Path of the first of these files in the order of paths, where the compiler wrote the file.
    pub file: String,
}

impl SplitLosses {
    /// Returns the number of all these units.
    pub fn units(&self) -> u64 {
        self.missing + self.other_build + self.malformed
    }

    pub(crate) fn add(&mut self, fault: SplitFault, file: &str) {
        *match fault {
            SplitFault::Missing => &mut self.missing,
            SplitFault::OtherBuild => &mut self.other_build,
            SplitFault::Malformed => &mut self.malformed,
        } += 1;
        if self.file.is_empty() || file < self.file.as_str() {
            file.clone_into(&mut self.file);
        }
    }
}

/// Reason why a unit's split debug information is not available.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SplitFault {
    Missing,
    OtherBuild,
    Malformed,
}

/// Returns true if a file is a package of split debug information, as dwp and llvm-dwp make them.
pub fn is_package<F: Read + Seek>(file: F) -> Result<bool, SymbolError> {
    let cache = ReadCache::new(file);
    let elf = ElfFile64::<LittleEndian, _>::parse(&cache)?;
    Ok(elf.section_by_name(INDEX).is_some() && elf.section_by_name(".debug_info").is_none())
}

/// Section of a package with the place of each unit.
pub(crate) const INDEX: &str = ".debug_cu_index";
