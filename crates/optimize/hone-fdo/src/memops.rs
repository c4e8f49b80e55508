//! Sizes that `memcpy` and similar functions are called with, by place in the source.
//!
//! ```text
//! walked branches ──SizeTally──▶ calls by location ──memory_sizes──▶ places, with sizes
//! places ──table──▶ people      ──choose──▶ sizes by compilation unit ──headers──▶ the compiler
//! ```
//!
//! LLVM's sample profile has no field for such values, and clang annotates none from it
//! (`docs/decisions/0010-sizes-through-headers.md`). So the sizes go to the compiler as C: headers in which a call
//! first compares its size with the usual sizes of its compilation unit.

mod choose;
mod headers;
mod table;
mod tally;

pub use choose::{Chosen, choose};
pub use headers::{Header, headers};
pub use table::write_table;
pub use tally::SizeTally;

use crate::code::Code;
use hone_profile::{Svma, ThirdArgument};
use hone_symbols::{DebugInfo, demangle};
use std::collections::{BTreeMap, BTreeSet};

/// Operation of a call on memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operation {
    /// `memcpy` or `memmove`: compilers turn one into the other.
    Copy,
    /// `memset`.
    Set,
    /// `memcmp` or `bcmp`.
    Compare,
}

impl Operation {
    /// Returns the operation of the function of this name; glibc's own names for CPUs and for `_FORTIFY_SOURCE` count too.
    pub fn of_symbol(name: &str) -> Option<Self> {
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        match name {
            "memcpy" | "memmove" => Some(Self::Copy),
            "memset" => Some(Self::Set),
            "memcmp" | "bcmp" | "__memcmpeq" => Some(Self::Compare),
            _ if starts(&["__memcpy_", "__memmove_"]) => Some(Self::Copy),
            _ if starts(&["__memset_"]) => Some(Self::Set),
            _ if starts(&["__memcmp_", "__memcmpeq_"]) => Some(Self::Compare),
            _ => None,
        }
    }

    /// Name of the operation in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Set => "set",
            Self::Compare => "compare",
        }
    }
}

/// Numbers of calls by size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Number of calls by size in bytes.
    pub by_size: BTreeMap<u64, u64>,
    /// Number of calls with a size above [`ThirdArgument::MAX`].
    pub large: u64,
    /// Number of calls whose size the walk did not know.
    pub unknown: u64,
}

impl Sizes {
    pub(crate) fn add(&mut self, size: ThirdArgument, calls: u64) {
        let sum = match size.value() {
            Some(size) => self.by_size.entry(size).or_default(),
            None if size.is_known() => &mut self.large,
            None => &mut self.unknown,
        };
        *sum = sum.saturating_add(calls);
    }

    fn add_all(&mut self, other: &Self) {
        for (&size, &calls) in &other.by_size {
            let sum = self.by_size.entry(size).or_default();
            *sum = sum.saturating_add(calls);
        }
        self.large = self.large.saturating_add(other.large);
        self.unknown = self.unknown.saturating_add(other.unknown);
    }

    /// Returns the number of calls whose size is known.
    pub fn known(&self) -> u64 {
        let small = self.by_size.values();
        small.fold(self.large, |sum, &calls| sum.saturating_add(calls))
    }

    /// Returns the sizes with their calls, most frequent first.
    pub fn most_frequent(&self) -> Vec<(u64, u64)> {
        let mut sizes: Vec<_> = self
            .by_size
            .iter()
            .map(|(&size, &calls)| (size, calls))
            .collect();
        sizes.sort_by_key(|&(size, calls)| (std::cmp::Reverse(calls), size));
        sizes
    }
}

/// Calls that are written at one place of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Compilation unit that compiles the place: the shortest end of its path that differs from the other
    /// units of the binary; empty if unknown.
    pub unit: String,
    /// Operation that is called.
    pub operation: Operation,
    /// Source file; empty if unknown.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Function that the call is written in, demangled.
    pub function: String,
    /// Calls by size.
    pub sizes: Sizes,
}

/// Returns the places of the counted calls, most calls of known size first. Without debug information a
/// place is a function.
pub fn memory_sizes(
    sums: &BTreeMap<(Svma, Operation), Sizes>,
    code: &Code<'_>,
    debug: &DebugInfo<'_>,
) -> Vec<Place> {
    let units: BTreeSet<&str> = debug.unit_names().collect();
    let mut places: BTreeMap<(String, Operation, String, u32, String), Sizes> = BTreeMap::new();
    for (&(svma, operation), sizes) in sums {
        let frames = debug.inline_stack(svma);
        let written_in = frames.iter().find_map(|frame| {
            units
                .iter()
                .copied()
                .find(|unit| is_path_end(frame.file, unit))
        });
        let unit = written_in.or_else(|| debug.unit_name_at(svma));
        let unit = unit.map(|unit| short_unit(unit, &units));
        let innermost = frames.first();
        let function = match innermost.filter(|frame| !frame.function.is_empty()) {
            Some(frame) => demangle(frame.function),
            None => code
                .binary()
                .function_at(svma)
                .map(|function| demangle(function.canonical_name()))
                .unwrap_or_default(),
        };
        let key = (
            unit.unwrap_or_default(),
            operation,
            innermost
                .map(|frame| frame.file.to_owned())
                .unwrap_or_default(),
            innermost.map_or(0, |frame| frame.line),
            function,
        );
        places.entry(key).or_default().add_all(sizes);
    }
    let place = |((unit, operation, file, line, function), sizes)| Place {
        unit,
        operation,
        file,
        line,
        function,
        sizes,
    };
    let mut places: Vec<_> = places.into_iter().map(place).collect();
    places.sort_by_key(|place| std::cmp::Reverse(place.sizes.known()));
    places
}

/// Returns the parts of a path from its end to its last `..`, without `.`.
fn parts_from_end(path: &str) -> impl Iterator<Item = &str> {
    let parts = path
        .rsplit('/')
        .filter(|part| !part.is_empty() && *part != ".");
    parts.take_while(|part| *part != "..")
}

/// Returns true if `path` ends with the parts of `end`.
fn is_path_end(path: &str, end: &str) -> bool {
    let mut parts = parts_from_end(path);
    let mut wanted = parts_from_end(end).peekable();
    wanted.peek().is_some() && wanted.all(|part| parts.next() == Some(part))
}

/// Returns the shortest end of the path that no other unit's path has; the whole path up to `..` if there is none.
fn short_unit(unit: &str, units: &BTreeSet<&str>) -> String {
    let parts: Vec<&str> = parts_from_end(unit).collect();
    let end = |count: usize| {
        let mut end: Vec<&str> = parts[..count].to_vec();
        end.reverse();
        end.join("/")
    };
    let is_its_own = |end: &String| {
        let mut others = units.iter().filter(|other| **other != unit);
        !others.any(|other| is_path_end(other, end))
    };
    let mut ends = (1..=parts.len()).map(end);
    ends.find(is_its_own).unwrap_or_else(|| end(parts.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_all_their_names() {
        for (name, operation) in [
            ("memcpy", Some(Operation::Copy)),
            ("__memcpy_chk", Some(Operation::Copy)),
            ("__memmove_avx_unaligned_erms", Some(Operation::Copy)),
            ("__memset_evex_unaligned", Some(Operation::Set)),
            ("bcmp", Some(Operation::Compare)),
            ("__memcmpeq_avx2_movbe", Some(Operation::Compare)),
            ("wmemcpy", None),
            ("mempcpy", None),
            ("memchr", None),
        ] {
            assert_eq!(Operation::of_symbol(name), operation, "{name}");
        }
    }

    #[test]
    fn a_unit_is_named_as_shortly_as_tells_it_apart() {
        let units = BTreeSet::from(["/b/src/a/main.c", "../src/b/main.c", "./x.c", "/b/yx.c"]);
        assert_eq!(short_unit("/b/src/a/main.c", &units), "a/main.c");
        assert_eq!(short_unit("../src/b/main.c", &units), "b/main.c");
        assert_eq!(short_unit("./x.c", &units), "x.c");
        assert_eq!(short_unit("/b/yx.c", &units), "yx.c");
        assert!(is_path_end("/b/src/./b/main.c", "../src/b/main.c"));
        assert!(!is_path_end("/b/main.c", "a/main.c"));
        assert!(!is_path_end("/b/main.c", ".."));
    }

    #[test]
    fn sizes_add_up_and_the_most_frequent_comes_first() {
        let mut sizes = Sizes::default();
        for (size, calls) in [(24, 3), (8, 5), (4, 3), (8, 1), (1 << 20, 2)] {
            sizes.add(ThirdArgument::of(size), calls);
        }
        sizes.add(ThirdArgument::UNKNOWN, 7);
        assert_eq!(sizes.most_frequent(), [(8, 6), (4, 3), (24, 3)]);
        assert_eq!((sizes.known(), sizes.large, sizes.unknown), (14, 2, 7));
    }
}
