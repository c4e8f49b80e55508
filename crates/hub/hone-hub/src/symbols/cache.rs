//! What was read a short time ago, within a number of bytes: the longest unused goes first.

use std::collections::BTreeMap;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Values by key, of which the ones used last are kept.
pub(super) struct Cache<K, V> {
    bytes_max: usize,
    bytes: usize,
    uses: u64,
    entries: FxHashMap<K, Entry<V>>,
    /// Keys by their last use.
    by_use: BTreeMap<u64, K>,
}

struct Entry<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Clone + Eq + Hash, V: Clone> Cache<K, V> {
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            bytes: 0,
            uses: 0,
            entries: FxHashMap::default(),
            by_use: BTreeMap::new(),
        }
    }

    /// Returns a value, which counts as used now.
    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        self.uses += 1;
        let entry = self.entries.get_mut(key)?;
        if let Some(key) = self.by_use.remove(&entry.used) {
            self.by_use.insert(self.uses, key);
        }
        entry.used = self.uses;
        Some(entry.value.clone())
    }

    /// Keeps a value, in place of an earlier one. One that is larger than all that may be kept is not.
    pub(super) fn put(&mut self, key: K, value: V, bytes: usize) {
        self.remove(&key);
        if bytes > self.bytes_max {
            return;
        }
        while self.bytes > self.bytes_max - bytes
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.drop_entry(&oldest);
        }
        self.uses += 1;
        let used = self.uses;
        self.bytes += bytes;
        self.by_use.insert(used, key.clone());
        self.entries.insert(key, Entry { value, bytes, used });
    }

    pub(super) fn remove(&mut self, key: &K) {
        if let Some(used) = self.drop_entry(key) {
            self.by_use.remove(&used);
        }
    }

    fn drop_entry(&mut self, key: &K) -> Option<u64> {
        let entry = self.entries.remove(key)?;
        self.bytes -= entry.bytes;
        Some(entry.used)
    }

    /// Bytes of all values.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_go_first() {
        let mut cache = Cache::new(100);
        for key in 0..4 {
            cache.put(key, key * 10, 25);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(4, 40, 30);
        assert_eq!(cache.bytes(), 80);
        let left: Vec<_> = (0..5).filter_map(|key| cache.get(&key)).collect();
        assert_eq!(left, [0, 30, 40]);
        cache.put(0, 1, 100);
        assert_eq!((cache.get(&0), cache.bytes()), (Some(1), 100));
        cache.put(9, 9, 101);
        assert_eq!((cache.get(&9), cache.get(&0)), (None, Some(1)));
        cache.remove(&0);
        assert_eq!((cache.get(&0), cache.bytes()), (None, 0));
    }
}
