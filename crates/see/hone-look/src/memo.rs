//! Values by key, each made once and lent for as long as the memo lives.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::Hash;

/// Number of blocks: the first block holds one value, each further block twice as many as the block before.
const BLOCKS: usize = usize::BITS as usize;

/// Values by key. Blocks of values never move, so that a value can be lent while others are added.
pub(crate) struct Memo<K, V> {
    positions: RefCell<HashMap<K, usize>>,
    blocks: [OnceCell<Box<[OnceCell<V>]>>; BLOCKS],
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self {
            positions: RefCell::default(),
            blocks: [const { OnceCell::new() }; BLOCKS],
        }
    }
}

impl<K: Clone + Eq + Hash, V> Memo<K, V> {
    /// Returns the value of a key, which is made when the key is asked for the first time.
    pub(crate) fn get(&self, key: &K, make: impl FnOnce() -> V) -> &V {
        let position = {
            let mut positions = self.positions.borrow_mut();
            let next = positions.len();
            *positions.entry(key.clone()).or_insert(next)
        };
        self.slot(position).get_or_init(make)
    }

    fn slot(&self, position: usize) -> &OnceCell<V> {
        let block = (position + 1).ilog2();
        let len = 1 << block;
        let slots = &self.blocks[block as usize];
        let slots = slots.get_or_init(|| (0..len).map(|_| OnceCell::new()).collect());
        &slots[position + 1 - len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_made_once_and_stays_where_it_is() {
        let memo = Memo::default();
        let values: Vec<&u64> = (0..100).map(|key| memo.get(&key, || key * 3)).collect();
        for (key, value) in (0..100).zip(values) {
            let again = memo.get(&key, || unreachable!("{key} is made again"));
            assert!(std::ptr::eq(value, again) && *value == key * 3);
        }
    }

    #[test]
    fn a_value_may_need_others_while_it_is_made() {
        let memo = Memo::default();
        let sum = memo.get(&1, || memo.get(&2, || 20) + memo.get(&3, || 30));
        assert_eq!((*sum, *memo.get(&3, || 0)), (50, 30));
    }
}
