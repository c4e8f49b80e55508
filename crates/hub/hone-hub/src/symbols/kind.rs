//! Kinds of files with symbols, and which of them answers which question.

use serde::{Deserialize, Serialize};

/// How much a file tells of names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Exported functions at most.
    Nothing,
    /// All functions, by a symbol table.
    Symbols,
    /// Functions, inlined calls, source files and lines.
    Debug,
}

/// Kind of a file. A build has at most one file of each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Kind {
    /// True if the file has machine code.
    pub has_code: bool,
    /// What the file tells of names.
    pub detail: Detail,
}

/// What is asked for by debuginfod's addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Artifact {
    /// A file with the machine code.
    Executable,
    /// A file with debug information, or at least symbols.
    DebugInfo,
}

impl Artifact {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Executable, Self::DebugInfo];

    /// Name of the artifact in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Executable => "executable",
            Self::DebugInfo => "debuginfo",
        }
    }

    /// Kinds of files that answer, the best first: as little as possible of the program itself.
    pub(crate) fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Executable => &[Kind::STRIPPED, Kind::WITH_SYMBOLS, Kind::WITH_DEBUG],
            Self::DebugInfo => &[
                Kind::DEBUG,
                Kind::WITH_DEBUG,
                Kind::SYMBOLS,
                Kind::WITH_SYMBOLS,
            ],
        }
    }
}

impl Kind {
    const STRIPPED: Self = Self::new(true, Detail::Nothing);
    const WITH_SYMBOLS: Self = Self::new(true, Detail::Symbols);
    const WITH_DEBUG: Self = Self::new(true, Detail::Debug);
    const SYMBOLS: Self = Self::new(false, Detail::Symbols);
    const DEBUG: Self = Self::new(false, Detail::Debug);

    /// All kinds of files that are of use.
    pub const ALL: [Self; 5] = [
        Self::STRIPPED,
        Self::WITH_SYMBOLS,
        Self::WITH_DEBUG,
        Self::SYMBOLS,
        Self::DEBUG,
    ];

    const fn new(has_code: bool, detail: Detail) -> Self {
        Self { has_code, detail }
    }

    /// Name of the kind, also of its objects in the store.
    pub fn name(self) -> &'static str {
        match (self.has_code, self.detail) {
            (true, Detail::Nothing) => "executable",
            (true, Detail::Symbols) => "executable-symbols",
            (true, Detail::Debug) => "executable-debug",
            (false, Detail::Symbols) => "symbols",
            (false, Detail::Debug) => "debug",
            (false, Detail::Nothing) => "nothing",
        }
    }

    /// Returns the kind with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Files of a build that names are taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sources {
    /// The file that tells at which address a byte of the file is.
    pub(crate) code: Kind,
    /// The file that tells more about names, if the first one does not.
    pub(crate) debug: Option<Kind>,
}

impl Sources {
    /// Chooses among the files of a build; `None` if none of them has code.
    pub(crate) fn among(kinds: &[Kind]) -> Option<Self> {
        let with_code = kinds.iter().copied().filter(|kind| kind.has_code);
        let code = with_code.max()?;
        let debug = kinds.iter().copied().filter(|kind| !kind.has_code).max();
        Some(Self {
            code,
            debug: debug.filter(|debug| debug.detail > code.detail),
        })
    }

    /// Name for the table that is made of these files.
    pub(crate) fn name(self) -> String {
        let debug = self
            .debug
            .map_or(String::new(), |debug| format!("-and-{}", debug.name()));
        format!("{}{debug}", self.code.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_files_that_tell_most() {
        let chosen = |kinds: &[Kind]| Sources::among(kinds).map(Sources::name);
        let is = |kinds: &[Kind], name: &str| assert_eq!(chosen(kinds).as_deref(), Some(name));
        is(&[Kind::STRIPPED], "executable");
        is(&[Kind::STRIPPED, Kind::SYMBOLS], "executable-and-symbols");
        is(
            &[Kind::DEBUG, Kind::WITH_SYMBOLS],
            "executable-symbols-and-debug",
        );
        is(&[Kind::SYMBOLS, Kind::WITH_SYMBOLS], "executable-symbols");
        is(&Kind::ALL, "executable-debug");
        assert_eq!(chosen(&[Kind::DEBUG, Kind::SYMBOLS]), None);
    }

    #[test]
    fn kinds_have_names_of_their_own() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), Some(kind));
        }
        assert_eq!(Kind::named("nothing"), None);
    }
}
