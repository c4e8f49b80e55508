//! Tables of distinct values.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Distinct values, numbered from 0 in the order in which they came: append, look up, never remove.
#[derive(Clone, Debug)]
pub struct Interner<T> {
    items: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }
}

impl<T> Interner<T> {
    /// The values by their numbers.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The same, kept.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// The number of a value, new or known.
    pub fn intern(&mut self, item: &T) -> u32 {
        if let Some(&number) = self.numbers.get(item) {
            return number;
        }
        let number = self.items.len() as u32;
        self.items.push(item.clone());
        self.numbers.insert(item.clone(), number);
        number
    }
}
