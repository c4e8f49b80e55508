//! Tables of distinct values.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Distinct values, numbered from 0 in the order of arrival: values are added and looked up, never removed.
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
    /// Returns the values in the order of their numbers.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the values in the order of their numbers, and drops the index.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// Returns the number of a value that was added before.
    pub fn number(&self, item: &T) -> Option<u32> {
        self.numbers.get(item).copied()
    }

    /// Returns the number of a value; a new value is added.
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
