//! What can be wrong with a binary.

use hone_profile::BuildId;

/// Why a binary could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SymbolError {
    /// The file does not start as an ELF file.
    #[error("not an ELF file")]
    NotElf,
    /// An ELF file, but not one for 64-bit little-endian x86.
    #[error("not an x86-64 ELF file: machine {machine}, {bits} bits")]
    NotX8664 {
        /// `e_machine`.
        machine: u16,
        /// 32 or 64.
        bits: u8,
    },
    /// The headers contradict each other or the length of the file.
    #[error("malformed ELF file: {0}")]
    MalformedElf(String),
    /// The debug file was split off another build.
    #[error("the debug file belongs to the build {debug}, the binary is {binary}")]
    OtherDebugFile {
        /// Build id of the binary.
        binary: BuildId,
        /// Build id of the debug file.
        debug: BuildId,
    },
    /// The map of basic blocks is in a version that is not understood.
    #[error("the map of basic blocks has version {version}; versions 1 and 2 are understood")]
    BlockMapVersion {
        /// The version of the first function that has such a one.
        version: u8,
    },
    /// The map of basic blocks has parts that are not understood.
    #[error("the map of basic blocks has features that are not understood: bits {features:#x}")]
    BlockMapFeatures {
        /// The bits of its feature byte that are not known.
        features: u8,
    },
    /// The debug sections cannot be read.
    #[error("malformed DWARF: {0}")]
    MalformedDwarf(String),
}

impl From<object::read::Error> for SymbolError {
    fn from(error: object::read::Error) -> Self {
        Self::MalformedElf(error.to_string())
    }
}

impl From<gimli::Error> for SymbolError {
    fn from(error: gimli::Error) -> Self {
        Self::MalformedDwarf(error.to_string())
    }
}
