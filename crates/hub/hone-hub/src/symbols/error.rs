//! What can go wrong with symbols.

use std::fmt;

use hone_symbols::SymbolError;

use crate::store::StoreError;

/// Reason why a file is not taken. All but [`Refused::Unavailable`] are for good: sending the file again does not help.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The file is not an ELF file that can be read.
    Unreadable(SymbolError),
    /// The file has no build id, so no sample can refer to it.
    NoBuildId,
    /// The build id is all zeros: a placeholder, which many builds share.
    ZeroBuildId,
    /// The file is an object file or a core dump.
    NotLinked,
    /// The file is a package of split debug information, which does not tell its build.
    Package,
    /// The file has neither code nor names.
    Nothing,
    /// The file is larger than the limit, in bytes.
    TooLarge {
        /// Bytes of the file.
        bytes: u64,
        /// The limit.
        max: u64,
    },
    /// The debug sections of the file unpack to more than the limit, in bytes.
    UnpacksTooLarge {
        /// Bytes that the sections claim.
        bytes: u64,
        /// The limit.
        max: u64,
    },
    /// The debug information says more than any program of this size has.
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        max: u64,
    },
    /// Another file of the same kind and build id is there.
    OtherBytes {
        /// Build id in hexadecimal.
        build: String,
        /// Kind of the file.
        kind: &'static str,
    },
    /// The tenant's files would take more bytes than the limit.
    Quota {
        /// Bytes with this file.
        bytes: u64,
        /// The limit.
        max: u64,
    },
    /// The process that reads uploaded files did not end well; what it told.
    Parser(String),
    /// The process that reads uploaded files refused the file, in its own words.
    Told {
        /// The words: another of these reasons.
        why: String,
        /// True if there is too much of something.
        is_too_large: bool,
    },
    /// Uploaded files cannot be read now, and why.
    Unavailable(String),
}

impl Refused {
    /// True if the file is larger than a limit allows, in one way or another.
    pub fn is_too_large(&self) -> bool {
        match self {
            Self::TooLarge { .. } | Self::UnpacksTooLarge { .. } | Self::TooMuch { .. } => true,
            Self::Told { is_too_large, .. } => *is_too_large,
            _ => false,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(
                f,
                "the file cannot be read: {error}; upload an executable, a shared library or its separate debug file"
            ),
            Self::NoBuildId => f.write_str(
                "the file has no build id: link it with -Wl,--build-id, and record and upload the new build",
            ),
            Self::ZeroBuildId => f.write_str(
                "the file's build id is all zeros, as of other builds too: link it with -Wl,--build-id",
            ),
            Self::NotLinked => f.write_str(
                "the file is an object file or a core dump: upload the linked program or library",
            ),
            Self::Package => f.write_str(
                "the file is a package of split debug information, which does not tell its build: upload a program that is linked without -gsplit-dwarf",
            ),
            Self::Nothing => f.write_str(
                "the file has neither code nor symbols nor debug information: upload the program before it is stripped",
            ),
            Self::TooLarge { bytes, max } => write!(
                f,
                "the file has {bytes} bytes where {max} are allowed: compress its debug sections (objcopy --compress-debug-sections=zstd), or raise the limit"
            ),
            Self::UnpacksTooLarge { bytes, max } => write!(
                f,
                "the file's debug sections have {bytes} bytes when unpacked, where {max} are allowed: build with -g1, or raise the limit"
            ),
            Self::TooMuch { what, max } => write!(
                f,
                "the file's debug information has more than {max} {what}: build with -g1"
            ),
            Self::OtherBytes { build, kind } => write!(
                f,
                "another file of the kind {kind} is there for the build {build}, and stays: give each build a build id of its own"
            ),
            Self::Quota { bytes, max } => write!(
                f,
                "symbols would take {bytes} bytes where {max} are allowed: raise the limit, or keep symbols for fewer days"
            ),
            Self::Parser(told) => write!(
                f,
                "reading the file failed: {told}; check the file with readelf -a"
            ),
            Self::Told { why, .. } => f.write_str(why),
            Self::Unavailable(why) => write!(
                f,
                "files cannot be read now: {why}; send the file again later"
            ),
        }
    }
}

impl std::error::Error for Refused {}

impl From<SymbolError> for Refused {
    fn from(error: SymbolError) -> Self {
        Self::Unreadable(error)
    }
}

/// Reason why something was not done with symbols.
#[derive(Debug)]
#[non_exhaustive]
pub enum SymbolsError {
    /// The file is not taken.
    Refused(Refused),
    /// The storage failed, or what it holds is damaged: try again later.
    Store(StoreError),
    /// Storing took so long that the parts of the file may be taken for leavings, in seconds.
    Slow {
        /// The limit.
        max_s: u64,
    },
}

impl fmt::Display for SymbolsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => refused.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Slow { max_s } => write!(
                f,
                "storing the file took more than {max_s} s: check the storage, and send the file again"
            ),
        }
    }
}

impl std::error::Error for SymbolsError {}

impl From<Refused> for SymbolsError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<StoreError> for SymbolsError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
