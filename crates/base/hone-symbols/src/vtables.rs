//! Virtual functions and the number of implementations of each in the binary.
//!
//! The Itanium C++ ABI leaves enough in a binary: every class with virtual functions has a table (`_ZTV...`), whose
//! words are addresses of functions, and a type description (`_ZTI...`) that names its bases and their offsets in an
//! object. So the slot of a function can be followed up to the class that introduced the slot, and from there
//! down through all classes that derive from that class.
//!
//! The module leaves out classes without type descriptions (`-fno-rtti`), and the places of virtual bases, which only the
//! running program knows; all functions that come through a virtual base count as one implementation. Functions that the
//! linker folded into one (`--icf`) count once.

use crate::SymbolError;
use crate::binary::{Binary, Elf, open};
use crate::words::{WORD, Word, Words};
use hone_profile::Svma;
use object::{Object, ObjectSymbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Maximum number of bytes of one table that are read; a longer table is damaged.
const TABLE_BYTES_MAX: u64 = 1 << 20;
/// Maximum number of bases of one class.
const BASES_MAX: u64 = 1024;
/// Flag in the word behind a base: the base is virtual.
const IS_VIRTUAL: u64 = 1;
/// First bit of the base's offset in the same word.
const PLACE_SHIFT: u32 = 8;
/// Maximum number of steps from a class to its bases, or to its derived classes.
const DEPTH_MAX: usize = 64;
/// Kind of a type description, by the number of bases: one base at the start of the object, or a list.
const ONE_BASE: &str = "_ZTVN10__cxxabiv120__si_class_type_infoE";
const BASES: &str = "_ZTVN10__cxxabiv121__vmi_class_type_infoE";
/// Symbols in the slot of a function that a class does not have.
const NO_FUNCTION: [&str; 2] = ["__cxa_pure_virtual", "__cxa_deleted_virtual"];

/// All virtual functions of a binary.
#[derive(Clone, Debug, Default)]
pub struct VirtualFunctions {
    implementations: FxHashMap<u64, usize>,
}

impl VirtualFunctions {
    /// Reads the tables and type descriptions of a binary; a binary without symbols has none.
    pub fn read(binary: &Binary<'_>) -> Result<Self, SymbolError> {
        let elf = open(binary.data())?;
        let words = Words::new(&elf, binary);
        let hierarchy = Hierarchy::read(&elf, &words);
        Ok(Self {
            implementations: hierarchy.implementations(),
        })
    }

    /// Returns the number of implementations in the slots that hold the function that starts at this address, counted over all
    /// classes that derive from the class that introduced the slot; `None` for a function that is not virtual.
    pub fn implementations(&self, function: Svma) -> Option<usize> {
        self.implementations.get(&function.0).copied()
    }

    /// Returns all virtual functions with their numbers of implementations.
    pub fn iter(&self) -> impl Iterator<Item = (Svma, usize)> + '_ {
        let known = self.implementations.iter();
        known.map(|(&start, &implementations)| (Svma(start), implementations))
    }
}

/// Content of a slot of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Function(u64),
    /// A function of another binary.
    Outside,
    /// A pure or deleted function, or not a slot at all.
    Nothing,
}

/// One table of a class: for the class and its first base, or for a further base.
struct Table {
    /// Offset in the object of the base that the table is for.
    offset: u64,
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Class {
    /// Type descriptions of the bases with a fixed offset, and the offset.
    bases: Vec<(u64, u64)>,
    /// Type descriptions of the classes that derive from this class, and the offset of this class in them.
    derived: Vec<(u64, u64)>,
    /// True for a class with a virtual base or a base of another binary, for a virtual base, and for classes derived from these.
    is_movable: bool,
    tables: Vec<Table>,
}

impl Class {
    fn slot(&self, offset: u64, index: usize) -> Option<Slot> {
        let table = self.tables.iter().find(|table| table.offset == offset)?;
        table.slots.get(index).copied()
    }
}

/// Classes by the address of their type description.
#[derive(Default)]
struct Hierarchy {
    classes: FxHashMap<u64, Class>,
}

impl Hierarchy {
    fn read(elf: &Elf<'_>, words: &Words<'_, '_>) -> Self {
        let mut symbols: Vec<(&str, u64, u64)> = Vec::new();
        for symbol in elf.symbols().chain(elf.dynamic_symbols()) {
            if let Ok(name) = symbol.name()
                && name.starts_with("_ZT")
                && !symbol.is_undefined()
            {
                symbols.push((name, symbol.address(), symbol.size()));
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        // Pointers to a class's table point past the two words before its first slot.
        let kinds = [ONE_BASE, BASES].map(|kind| {
            let known = symbols.iter().find(|(name, ..)| *name == kind);
            known.map(|(_, address, _)| address.saturating_add(2 * WORD))
        });
        let mut hierarchy = Self::default();
        for (_, info, _) in symbols.iter().filter(|(name, ..)| name.starts_with("_ZTI")) {
            hierarchy.classes.entry(*info).or_default();
        }
        let tables = symbols.iter().filter(|(name, ..)| name.starts_with("_ZTV"));
        for (_, start, size) in tables {
            let size = (*size).min(TABLE_BYTES_MAX);
            let known = &mut hierarchy.classes;
            let mut own = (0..size / WORD)
                .filter_map(|index| words.value_at(start.saturating_add(index * WORD)));
            // Classes of one name in two files have tables of one name: the first word that is a type description tells the class.
            if let Some(info) = own.find(|value| known.contains_key(value))
                && let Some(class) = known.get_mut(&info)
            {
                class.tables = self::tables(*start, size, info, words);
            }
        }
        hierarchy.link(words, kinds);
        hierarchy
    }

    /// Links every class with its bases, and every base with its derived classes.
    fn link(&mut self, words: &Words<'_, '_>, kinds: [Option<u64>; 2]) {
        let infos: Vec<u64> = self.classes.keys().copied().collect();
        for info in infos {
            for (base, offset) in bases(info, words, kinds) {
                let (Some(base), Some(offset)) = (base, offset) else {
                    for info in [Some(info), base].into_iter().flatten() {
                        self.classes.entry(info).or_default().is_movable = true;
                    }
                    continue;
                };
                let known = self.classes.entry(info).or_default();
                known.bases.push((base, offset));
                let known = self.classes.entry(base).or_default();
                known.derived.push((info, offset));
            }
        }
        self.pass_on_movability();
    }

    /// Marks the classes derived from a movable class as movable too.
    fn pass_on_movability(&mut self) {
        let movable = self.classes.iter().filter(|(_, known)| known.is_movable);
        let mut open: Vec<u64> = movable.map(|(&info, _)| info).collect();
        while let Some(info) = open.pop() {
            let derived = self.classes.get(&info).map(|known| known.derived.clone());
            for (class, _) in derived.unwrap_or_default() {
                let known = self.classes.entry(class).or_default();
                if !known.is_movable {
                    known.is_movable = true;
                    open.push(class);
                }
            }
        }
    }

    fn implementations(&self) -> FxHashMap<u64, usize> {
        let mut found: FxHashMap<u64, usize> = FxHashMap::default();
        let mut counted = FxHashMap::default();
        for (&class, known) in &self.classes {
            for table in &known.tables {
                for (index, slot) in table.slots.iter().enumerate() {
                    let Slot::Function(function) = *slot else {
                        continue;
                    };
                    let root = self.root(class, table.offset, index);
                    let count = *counted
                        .entry((root, index))
                        .or_insert_with(|| self.count(root, index));
                    let most = found.entry(function).or_default();
                    *most = count.max(*most);
                }
            }
        }
        found
    }

    /// Returns the class that introduced a slot, and the offset of the slot's table in that class.
    fn root(&self, class: u64, offset: u64, index: usize) -> (u64, u64) {
        let (mut class, mut offset) = (class, offset);
        for _ in 0..DEPTH_MAX {
            let Some(known) = self.classes.get(&class) else {
                break;
            };
            let above = known.bases.iter().find_map(|&(base, at)| {
                let within = offset.checked_sub(at)?;
                let known = self.classes.get(&base)?;
                // A base without a table of its own may have the slot.
                let may_have = known.tables.is_empty() && within == 0;
                (may_have || known.slot(within, index).is_some()).then_some((base, within))
            });
            match above {
                Some((base, within)) => (class, offset) = (base, within),
                None => break,
            }
        }
        (class, offset)
    }

    /// Returns the number of functions in a slot of a class and of all classes derived from it.
    fn count(&self, (class, offset): (u64, u64), index: usize) -> usize {
        let mut slots = BTreeSet::new();
        let mut further = 0;
        let mut open = vec![(class, offset, 0)];
        let mut seen = BTreeSet::new();
        while let Some((class, offset, depth)) = open.pop() {
            if depth > DEPTH_MAX || !seen.insert((class, offset)) {
                continue;
            }
            let Some(known) = self.classes.get(&class) else {
                continue;
            };
            slots.extend(
                known
                    .slot(offset, index)
                    .filter(|slot| *slot != Slot::Nothing),
            );
            if known.is_movable {
                further = 1;
            }
            let derived = known.derived.iter();
            open.extend(derived.map(|&(class, at)| (class, at.saturating_add(offset), depth + 1)));
        }
        slots.len() + further
    }
}

/// Returns the bases of a class and their offsets in it; `None` for a base of another binary, and for an offset that only
/// the running program knows.
fn bases(
    info: u64,
    words: &Words<'_, '_>,
    kinds: [Option<u64>; 2],
) -> Vec<(Option<u64>, Option<u64>)> {
    let is = |kind: usize| match words.at(info) {
        Some(Word::Outside(name)) => name == [ONE_BASE, BASES][kind],
        Some(Word::Value(value)) => kinds[kind] == Some(value),
        None => false,
    };
    let word = |index: u64| words.value_at(info.saturating_add(index * WORD));
    if is(0) {
        return vec![(word(2), Some(0))];
    }
    if !is(1) {
        return Vec::new();
    }
    let count = (word(2).unwrap_or(0) >> 32).min(BASES_MAX);
    let entries = (0..count).map(|index| 3 + 2 * index);
    entries
        .map(|entry| {
            let place = word(entry + 1).filter(|place| place & IS_VIRTUAL == 0);
            (word(entry), place.map(|place| place >> PLACE_SHIFT))
        })
        .collect()
}

/// Returns the tables of a class. Each table begins behind a word with the address of the type description; the word before
/// that word tells how far the base lies from the object's start.
fn tables(start: u64, size: u64, info: u64, words: &Words<'_, '_>) -> Vec<Table> {
    let end = start.saturating_add(size);
    let mut found: Vec<Table> = Vec::new();
    let mut at = start;
    while at.checked_add(WORD).is_some_and(|next| next <= end) {
        let is_info = matches!(words.at(at), Some(Word::Value(value)) if value == info);
        if is_info && at > start {
            // The word before was not a slot of the previous table.
            if let Some(before) = found.last_mut() {
                before.slots.pop();
            }
            let offset = words.value_at(at - WORD).unwrap_or(0).wrapping_neg();
            found.push(Table {
                offset,
                slots: Vec::new(),
            });
        } else if let Some(table) = found.last_mut() {
            table.slots.push(slot(words.at(at), words));
        }
        at += WORD;
    }
    found
}

fn slot(word: Option<Word<'_>>, words: &Words<'_, '_>) -> Slot {
    match word {
        Some(Word::Outside(name)) if NO_FUNCTION.contains(&name) => Slot::Nothing,
        Some(Word::Outside(_)) => Slot::Outside,
        Some(Word::Value(value)) if words.binary.is_executable(Svma(value)) => {
            let place = Svma(value);
            let own = words.binary.functions().starting_at(place);
            let stub = words.binary.plt_entry_at(place);
            let name = stub
                .and_then(|stub| stub.symbol)
                .or(own.map(|own| own.name));
            if name.is_some_and(|name| NO_FUNCTION.contains(&name)) {
                Slot::Nothing
            } else if stub.is_some() {
                Slot::Outside
            } else {
                Slot::Function(value)
            }
        }
        _ => Slot::Nothing,
    }
}
