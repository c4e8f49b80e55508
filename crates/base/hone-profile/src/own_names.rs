//! Names that a recording itself has for its places, as the tables of pprof files and the text of `perf script` do.
//!
//! They take the place of symbols where the recorded file is not at hand. A name is a function and, if it was inlined, the
//! name of the function around it: so names are interned like stacks.

use crate::interner::Interner;
use std::num::NonZeroU32;

/// Handle of the name of a [`crate::Location`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NameId(NonZeroU32);

/// A function at a place, as the recording names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OwnName<'n> {
    /// Name of the function.
    pub function: &'n str,
    /// Source file; empty where unknown.
    pub file: &'n str,
    /// Line in the source file; 0 where unknown.
    pub line: u32,
}

impl<'n> OwnName<'n> {
    /// Creates the name of a function of which no source is known.
    pub fn function(function: &'n str) -> Self {
        Self {
            function,
            ..Self::default()
        }
    }
}

/// Names, each stored once.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnNames {
    texts: Interner<String>,
    names: Interner<Name>,
}

/// Indices of texts, and the name of the function around.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Name {
    function: u32,
    file: u32,
    line: u32,
    outer: Option<NameId>,
}

impl OwnNames {
    /// Returns the handle of a name; a new name is added.
    pub(crate) fn intern(&mut self, name: OwnName<'_>, outer: Option<NameId>) -> NameId {
        let name = Name {
            function: self.texts.intern(&name.function.to_owned()),
            file: self.texts.intern(&name.file.to_owned()),
            line: name.line,
            outer,
        };
        NameId(NonZeroU32::MIN.saturating_add(self.names.intern(&name)))
    }

    /// Returns a name and those around it, innermost first.
    pub(crate) fn from(&self, innermost: Option<NameId>) -> impl Iterator<Item = OwnName<'_>> {
        let text = |index: u32| self.texts.items()[index as usize].as_str();
        let mut next = innermost;
        std::iter::from_fn(move || {
            let NameId(number) = next?;
            let name = self.names.items()[number.get() as usize - 1];
            next = name.outer;
            Some(OwnName {
                function: text(name.function),
                file: text(name.file),
                line: name.line,
            })
        })
    }
}
