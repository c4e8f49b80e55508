//! Table in which every string occurs once and has a number.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

pub(super) struct Symbols {
    text: String,
    ends: Vec<usize>,
    known: HashTable<u32>,
    hasher: FixedState,
}

impl Symbols {
    /// Returns a table whose first symbol is the empty string, as the specification demands.
    pub(super) fn new() -> Self {
        let mut symbols = Self {
            text: String::new(),
            ends: Vec::new(),
            known: HashTable::new(),
            hasher: FixedState::default(),
        };
        symbols.reference("");
        symbols
    }

    pub(super) fn reference(&mut self, symbol: &str) -> u32 {
        let Self {
            text,
            ends,
            known,
            hasher,
        } = self;
        let hash = hasher.hash_one(symbol);
        let is_it = |index: &u32| nth(text, ends, *index as usize) == symbol;
        if let Some(index) = known.find(hash, is_it) {
            return *index;
        }
        let index = ends.len() as u32;
        text.push_str(symbol);
        ends.push(text.len());
        let rehash = |index: &u32| hasher.hash_one(nth(text, ends, *index as usize));
        known.insert_unique(hash, index, rehash);
        index
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| nth(&self.text, &self.ends, index))
    }

    pub(super) fn text_bytes(&self) -> usize {
        self.text.len() + self.ends.len()
    }
}

fn nth<'t>(text: &'t str, ends: &[usize], index: usize) -> &'t str {
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[index]]
}
