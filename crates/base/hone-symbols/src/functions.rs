//! The function table: sorted, without overlaps that matter, one entry per body.
//!
//! Several symbols may name one body (constructors C1 and C2, identical code folding, `memcpy` and
//! `__memcpy_avx`): they become one [`Function`] with aliases. One source function may have several
//! bodies (`f`, `f.cold`, `f.part.0`, `f.llvm.123`): the bodies are separate functions in this table, and
//! [`canonical_name`] returns the same name for all of them.

use crate::binary::{Elf, in_ranges};
use crate::bodies::Body;
use hone_profile::Svma;
use object::LittleEndian;
use object::elf;
use object::read::elf::Sym;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Number of functions before an address that are checked for holding the address (functions nested in assembly).
const NESTING_MAX: usize = 16;

/// Suffixes with a number that compilers and linkers add to the name of a function for a copy of the function, or for a
/// part that others call (`.part.0` of GCC).
/// `.__uniq.` is not in the list: it is part of the name (`-funique-internal-linkage-names`).
const COPIES: [&str; 6] = [
    "part",
    "isra",
    "constprop",
    "lto_priv",
    "llvm",
    "specialized",
];

/// Suffix, with a number, of a part that clang made of blocks (`-fbasic-block-sections`).
const BLOCKS: &str = "__part";

/// Suffixes of parts that were split off, with a number or without; the part `.eh` has the landing pads.
const SPLIT_OFF: [&str; 3] = ["cold", "warm", "eh"];

/// Suffixes of the parts into which clang cuts a coroutine after it has used the profile. Functions in other languages may
/// have the same suffixes (`main.cleanup` in Go), so these are cut off C++ names only.
const COROUTINE: [&str; 3] = ["resume", "destroy", "cleanup"];

/// End of GCC's name for a coroutine's frame. GCC's `.actor` and `.destroy` are functions of their own from the start.
const FRAME_OF_GCC: &str = ".Frame";

/// The body of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function<'a> {
    /// Address of the first byte.
    pub start: Svma,
    /// Address after the last byte.
    pub end: Svma,
    /// Mangled name, suffixes included.
    pub name: &'a str,
    /// Other names of the same body.
    pub aliases: Vec<&'a str>,
}

impl<'a> Function<'a> {
    /// Returns true if the address lies in the body.
    pub fn contains(&self, svma: Svma) -> bool {
        (self.start..self.end).contains(&svma)
    }

    /// Returns the name without the suffixes of parts and copies.
    pub fn canonical_name(&self) -> &'a str {
        canonical_name(self.name)
    }

    /// Returns true for a part that seldom runs, and that only its own function jumps to, such as `f.cold`.
    pub fn is_cold_part(&self) -> bool {
        self.has_suffix(|suffix| suffix == "cold" || suffix == "warm")
    }

    /// Returns true for a part that nobody calls by the name of its function: a cold part, blocks in a section of
    /// their own, or the code that resumes or ends a coroutine. The first byte of a part is not the function's entry.
    pub fn is_part(&self) -> bool {
        self.has_suffix(|suffix| {
            suffix == BLOCKS || SPLIT_OFF.contains(&suffix) || COROUTINE.contains(&suffix)
        })
    }

    fn has_suffix(&self, wanted: impl Fn(&str) -> bool) -> bool {
        let tail = &self.name[self.canonical_name().len()..];
        tail.split('.').any(wanted)
    }

    /// Returns the size of the body in bytes.
    pub fn size(&self) -> u64 {
        self.end.0 - self.start.0
    }
}

/// Returns the name of the source function: `.cold`, `.warm`, `.eh`, `.part.N`, `.__part.N`, `.isra.N`, `.constprop.N`,
/// `.lto_priv.N`, `.llvm.HASH` and `.specialized.N` are cut off, and from coroutines in C++ `.resume`, `.destroy` and
/// `.cleanup`; `.__uniq.HASH` stays.
pub fn canonical_name(name: &str) -> &str {
    let mut name = name;
    while let Some(shorter) = without_suffix(name) {
        name = shorter;
    }
    name
}

fn without_suffix(name: &str) -> Option<&str> {
    let (head, last) = name.rsplit_once('.')?;
    let is_number = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (shorter, is_suffix) = if is_number && let Some((head, kind)) = head.rsplit_once('.') {
        let numbered = kind == BLOCKS || COPIES.contains(&kind);
        (head, numbered || is_bare_suffix(head, kind))
    } else {
        (head, is_bare_suffix(head, last))
    };
    (is_suffix && !shorter.is_empty()).then_some(shorter)
}

/// Returns true if a suffix that needs no number marks a part of the function.
fn is_bare_suffix(function: &str, suffix: &str) -> bool {
    let is_coroutine = || function.starts_with("_Z") && !function.ends_with(FRAME_OF_GCC);
    SPLIT_OFF.contains(&suffix) || COROUTINE.contains(&suffix) && is_coroutine()
}

/// All functions of a binary.
#[derive(Debug, Default)]
pub struct Functions<'a> {
    items: Vec<Function<'a>>,
    by_name: FxHashMap<&'a str, u32>,
    /// Names that several functions have, each local to its file.
    shared: FxHashSet<&'a str>,
    from_dynamic_symbols: bool,
}

struct Symbol<'a> {
    start: u64,
    size: u64,
    /// Rank of the binding: global before weak before local, so that the name known to other files comes first; no type is last.
    rank: u8,
    name: &'a str,
}

impl<'a> Functions<'a> {
    pub(crate) fn read(elf: &Elf<'a>, executable: &[Range<u64>]) -> Self {
        let mut symbols = symbols_of(elf.elf_symbol_table(), executable);
        let from_dynamic_symbols = symbols.is_empty();
        if from_dynamic_symbols {
            symbols = symbols_of(elf.elf_dynamic_symbol_table(), executable);
        }
        let items = merge(symbols, executable);
        Self::new(items, from_dynamic_symbols)
    }

    fn new(items: Vec<Function<'a>>, from_dynamic_symbols: bool) -> Self {
        let mut by_name = FxHashMap::default();
        let mut shared = FxHashSet::default();
        for (position, function) in items.iter().enumerate() {
            for name in std::iter::once(&function.name).chain(&function.aliases) {
                let first = *by_name.entry(*name).or_insert(position as u32);
                if first != position as u32 {
                    shared.insert(*name);
                }
            }
        }
        Self {
            items,
            by_name,
            shared,
            from_dynamic_symbols,
        }
    }

    /// Adds functions that no symbol names; `bodies` is sorted by start. For a function that a symbol names, the body gives the
    /// end, which a symbol without a size lacks.
    pub(crate) fn with_bodies(self, bodies: Vec<Body<'a>>) -> Self {
        if bodies.is_empty() {
            return self;
        }
        let mut items = self.items;
        for function in &mut items {
            let own = bodies.binary_search_by_key(&function.start.0, |(range, _)| range.start);
            if let Ok(own) = own {
                function.end = function.end.min(Svma(bodies[own].0.end));
            }
        }
        let known = Self::new(items, self.from_dynamic_symbols);
        let new = bodies.into_iter().filter_map(|(range, name)| {
            let start = Svma(range.start);
            let is_new = known.at(start).is_none() && known.starting_at(start).is_none();
            is_new.then(|| Function {
                start,
                end: Svma(range.end),
                name,
                aliases: Vec::new(),
            })
        });
        let new: Vec<_> = new.collect();
        let mut items = known.items;
        items.extend(new);
        items.sort_by_key(|function| function.start);
        Self::new(items, self.from_dynamic_symbols)
    }

    /// Returns the function whose body holds the address; the innermost function if bodies are nested.
    pub fn at(&self, svma: Svma) -> Option<&Function<'a>> {
        let next = self
            .items
            .partition_point(|function| function.start <= svma);
        let candidates = &self.items[next.saturating_sub(NESTING_MAX)..next];
        candidates
            .iter()
            .rev()
            .find(|function| function.contains(svma))
    }

    /// Returns the function that starts at the address.
    pub fn starting_at(&self, svma: Svma) -> Option<&Function<'a>> {
        let index = self
            .items
            .binary_search_by_key(&svma, |function| function.start)
            .ok()?;
        Some(&self.items[index])
    }

    /// Returns the first function that starts at the address or after it.
    pub fn from(&self, svma: Svma) -> Option<&Function<'a>> {
        let next = self.items.partition_point(|function| function.start < svma);
        self.items.get(next)
    }

    /// Returns the function with this mangled name or alias.
    pub fn by_name(&self, name: &str) -> Option<&Function<'a>> {
        Some(&self.items[*self.by_name.get(name)? as usize])
    }

    /// Returns true if several functions have this mangled name: `static` functions of several files.
    pub fn is_shared(&self, name: &str) -> bool {
        self.shared.contains(name)
    }

    /// Returns all functions, sorted by address.
    pub fn iter(&self) -> std::slice::Iter<'_, Function<'a>> {
        self.items.iter()
    }

    /// Returns the number of functions.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns true if the binary names no function at all.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns true if the file is stripped, so that only exported functions are known.
    pub fn only_exported(&self) -> bool {
        self.from_dynamic_symbols
    }
}

fn symbols_of<'a>(
    table: &object::read::elf::SymbolTable<'a, elf::FileHeader64<LittleEndian>>,
    executable: &[Range<u64>],
) -> Vec<Symbol<'a>> {
    let endian = LittleEndian;
    let mut symbols = Vec::new();
    for symbol in table.iter() {
        let kind = symbol.st_type();
        let start = symbol.st_value(endian);
        let is_function = kind == elf::STT_FUNC || kind == elf::STT_GNU_IFUNC;
        if !(is_function || kind == elf::STT_NOTYPE)
            || symbol.is_undefined(endian)
            || !in_ranges(executable, start)
        {
            continue;
        }
        let Ok(Ok(name)) = table.symbol_name(endian, symbol).map(std::str::from_utf8) else {
            continue;
        };
        let size = symbol.st_size(endian);
        // Labels are not functions. Symbols with a size are: assembly without `.type`, and parts made of blocks.
        if name.is_empty() || (!is_function && size == 0) {
            continue;
        }
        let rank = match symbol.st_bind() {
            _ if !is_function => 3,
            elf::STB_GLOBAL => 0,
            elf::STB_WEAK => 1,
            _ => 2,
        };
        symbols.push(Symbol {
            start,
            size,
            rank,
            name,
        });
    }
    symbols
}

fn merge<'a>(mut symbols: Vec<Symbol<'a>>, executable: &[Range<u64>]) -> Vec<Function<'a>> {
    let is_part = |symbol: &Symbol<'a>| canonical_name(symbol.name).len() != symbol.name.len();
    symbols.sort_by(|a, b| {
        let order = (a.start, a.rank).cmp(&(b.start, b.rank));
        // Names are examined only if symbols share a body: libraries have hundreds of thousands of symbols.
        let order = order.then_with(|| is_part(a).cmp(&is_part(b)));
        order.then_with(|| a.name.cmp(b.name))
    });
    let mut items: Vec<Function<'a>> = Vec::new();
    for symbol in symbols {
        let end = Svma(symbol.start.saturating_add(symbol.size));
        match items.last_mut() {
            Some(last) if last.start.0 == symbol.start => {
                last.end = last.end.max(end);
                if last.name != symbol.name {
                    last.aliases.push(symbol.name);
                }
            }
            _ => items.push(Function {
                start: Svma(symbol.start),
                end,
                name: symbol.name,
                aliases: Vec::new(),
            }),
        }
    }
    close_open_ends(&mut items, executable);
    items
}

/// Ends a function of unknown size (assembly without `.size`) at the next function or at the end of its
/// section, and lets no function reach beyond its section.
fn close_open_ends(items: &mut [Function<'_>], executable: &[Range<u64>]) {
    for index in 0..items.len() {
        let start = items[index].start.0;
        let next = executable.partition_point(|range| range.start <= start);
        let section_end = executable[..next].last().map_or(start, |range| range.end);
        if items[index].end.0 == start {
            let following = items
                .get(index + 1)
                .map_or(section_end, |function| function.start.0);
            items[index].end = Svma(following.min(section_end));
        }
        items[index].end = Svma(items[index].end.0.min(section_end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_copies_fold_into_their_function_and_unique_names_stay() {
        for (name, canonical) in [
            ("f", "f"),
            ("f.cold", "f"),
            ("f.cold.3", "f"),
            ("f.part.0", "f"),
            ("f.isra.0.constprop.1.cold", "f"),
            ("_ZL3foov.llvm.1234567890", "_ZL3foov"),
            ("_ZL3foov.__uniq.3141592653", "_ZL3foov.__uniq.3141592653"),
            (
                "_ZL3foov.__uniq.3141592653.llvm.27.cold",
                "_ZL3foov.__uniq.3141592653",
            ),
            ("_Z1fj.resume", "_Z1fj"),
            ("_Z1fj.__uniq.27.destroy.3", "_Z1fj.__uniq.27"),
            ("_Z1fj.cleanup.cold.1", "_Z1fj"),
            (
                "_Z1fPZ1fvE9_Z1fv.Frame.actor",
                "_Z1fPZ1fvE9_Z1fv.Frame.actor",
            ),
            (
                "_Z1fPZ1fvE9_Z1fv.Frame.destroy",
                "_Z1fPZ1fvE9_Z1fv.Frame.destroy",
            ),
            ("main.resume", "main.resume"),
            ("main.cleanup", "main.cleanup"),
            ("main.__part.12", "main"),
            ("_Z1fj.resume.__part.2", "_Z1fj"),
            ("main.eh", "main"),
            ("main.part", "main.part"),
            ("main.llvm", "main.llvm"),
            (".cold", ".cold"),
            ("f.7", "f.7"),
        ] {
            assert_eq!(canonical_name(name), canonical, "{name}");
        }
    }

    #[test]
    fn parts_that_nobody_calls_are_told_from_copies() {
        let function = |name| Function {
            start: Svma(0),
            end: Svma(1),
            name,
            aliases: Vec::new(),
        };
        for part in [
            "f.cold",
            "f.__part.3",
            "f.eh",
            "_Z1fj.resume",
            "_Z1fj.destroy.1",
        ] {
            assert!(function(part).is_part(), "{part}");
            assert_eq!(function(part).is_cold_part(), part == "f.cold", "{part}");
        }
        for whole in ["f", "f.part.0", "f.llvm.12", "main.resume", "f.__uniq.7"] {
            assert!(!function(whole).is_part(), "{whole}");
        }
    }

    fn symbol(start: u64, size: u64, rank: u8, name: &'static str) -> Symbol<'static> {
        Symbol {
            start,
            size,
            rank,
            name,
        }
    }

    #[test]
    fn what_has_no_symbol_is_added_and_ends_where_a_symbol_did_not() {
        let symbols = vec![symbol(0x10, 0, 0, "open"), symbol(0x60, 0x10, 0, "sized")];
        let table = Functions::new(merge(symbols, std::slice::from_ref(&(0x10..0x80))), true);
        assert_eq!(table.at(Svma(0x3f)).unwrap().name, "open");
        let table = table.with_bodies(vec![
            (0x10..0x20, "again"),
            (0x30..0x50, "between"),
            (0x68..0x70, "inside"),
            (0x70..0x80, "behind"),
        ]);
        let name = |svma| table.at(Svma(svma)).map(|function| function.name);
        assert_eq!(name(0x1f), Some("open"));
        assert_eq!(name(0x20), None);
        assert_eq!(name(0x30), Some("between"));
        assert_eq!(name(0x50), None);
        assert_eq!(name(0x68), Some("sized"));
        assert_eq!(name(0x7f), Some("behind"));
        assert_eq!(table.by_name("between").unwrap().size(), 0x20);
        assert!(table.by_name("again").is_none() && table.by_name("inside").is_none());
    }

    #[test]
    fn aliases_share_one_body_and_sizeless_functions_reach_to_the_next() {
        let items = merge(
            vec![
                symbol(0x20, 0x10, 2, "local_alias"),
                symbol(0x20, 0x10, 0, "exported"),
                symbol(0x10, 0, 0, "assembly"),
                symbol(0x38, 0, 0, "last"),
            ],
            &[0x10..0x40, 0x80..0x90],
        );
        let table = Functions::new(items, false);
        assert_eq!(table.at(Svma(0x1f)).unwrap().name, "assembly");
        assert_eq!(table.at(Svma(0x2f)).unwrap().name, "exported");
        assert_eq!(table.at(Svma(0x30)), None);
        assert_eq!(table.at(Svma(0x3f)).unwrap().name, "last");
        assert_eq!(table.at(Svma(0x40)), None);
        assert_eq!(table.by_name("local_alias").unwrap().name, "exported");
        assert_eq!(table.starting_at(Svma(0x21)), None);
    }
}
