//! Errors of reading a binary.

use hone_profile::BuildId;

/// Reason why a binary could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SymbolError {
    /// The file does not start as an ELF file.
    #[error("not an ELF file")]
    NotElf,
    /// The file is an ELF file, but not for 64-bit little-endian x86.
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
    /// The debug file belongs to another build.
    #[error("the debug file belongs to the build {debug}, the binary is {binary}")]
    OtherDebugFile {
        /// Build id of the binary.
        binary: BuildId,
        /// Build id of the debug file.
        debug: BuildId,
    },
    /// The map of basic blocks has an unknown version.
    #[error("the map of basic blocks has version {version}; versions 1 and 2 are understood")]
    BlockMapVersion {
        /// Version of the first function with an unknown version.
        version: u8,
    },
    /// The map of basic blocks has unknown parts.
    #[error("the map of basic blocks has features that are not understood: bits {features:#x}")]
    BlockMapFeatures {
        /// Unknown bits of the feature byte.
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
