//! A hash table of ids whose keys lie elsewhere.
//!
//! Many keys are looked up at once: the keys of a day do not fit into a CPU's nearest caches, and waits for memory overlap where one
//! lookup does not depend on the one before.

/// Keys that are looked up, and those that have ids.
pub(super) trait Keys {
    /// True if the key at a position has this id.
    fn has_id(&self, at: usize, id: u32) -> bool;

    /// Gives the key at a position the next id, and returns it.
    fn add(&mut self, at: usize) -> u32;
}

/// In place of an id where a slot is free.
const FREE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    id: u32,
}

/// Ids by the hashes of their keys, by linear probing; at least half of the slots are free.
#[derive(Default)]
pub(super) struct Lookup {
    /// None, or a power of two.
    slots: Vec<Slot>,
    used: usize,
}

impl Lookup {
    /// Returns the ids of keys with these hashes, in their order; keys that have none get the next ones.
    pub(super) fn find_or_add(&mut self, hashes: &[u64], keys: &mut impl Keys) -> Vec<i32> {
        self.make_room();
        // Nearly all of these are the ids, or of keys that are new.
        let firsts = hashes.iter().map(|hash| self.first(folded(*hash)) as i32);
        let mut ids: Vec<i32> = firsts.collect();
        let mut others = Vec::new();
        for (at, id) in ids.iter().enumerate() {
            if *id as u32 == FREE || !keys.has_id(at, *id as u32) {
                others.push(at);
            }
        }
        for at in others {
            ids[at] = self.find_or_add_one(hashes[at], keys, at) as i32;
        }
        ids
    }

    /// Adds an id that is not there.
    pub(super) fn insert(&mut self, hash: u64, id: u32) {
        self.make_room();
        self.put(Slot {
            hash: folded(hash),
            id,
        });
    }

    /// Makes room for one more id.
    fn make_room(&mut self) {
        let wanted = (self.used + 1) * 2;
        if wanted > self.slots.len() {
            let length = wanted.next_power_of_two();
            let free = Slot { hash: 0, id: FREE };
            let before = std::mem::replace(&mut self.slots, vec![free; length]);
            self.used = 0;
            for slot in before.into_iter().filter(|slot| slot.id != FREE) {
                self.put(slot);
            }
        }
    }

    fn put(&mut self, slot: Slot) {
        let mut at = self.begin(slot.hash);
        while self.slots[at].id != FREE {
            at = self.next(at);
        }
        self.slots[at] = slot;
        self.used += 1;
    }

    /// Returns the first id with a hash, or that of the free slot.
    fn first(&self, hash: u32) -> u32 {
        let mut at = self.begin(hash);
        loop {
            let slot = self.slots[at];
            if slot.id == FREE || slot.hash == hash {
                return slot.id;
            }
            at = self.next(at);
        }
    }

    fn find_or_add_one(&mut self, hash: u64, keys: &mut impl Keys, key: usize) -> u32 {
        let short = folded(hash);
        let mut at = self.begin(short);
        while self.slots[at].id != FREE {
            let slot = self.slots[at];
            if slot.hash == short && keys.has_id(key, slot.id) {
                return slot.id;
            }
            at = self.next(at);
        }
        let id = keys.add(key);
        self.insert(hash, id);
        id
    }

    fn begin(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }
}

/// Returns a hash in half of its bits.
fn folded(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Numbers<'a> {
        wanted: &'a [u8],
        known: &'a mut Vec<u8>,
    }

    impl Keys for Numbers<'_> {
        fn has_id(&self, at: usize, id: u32) -> bool {
            self.known[id as usize] == self.wanted[at]
        }

        fn add(&mut self, at: usize) -> u32 {
            self.known.push(self.wanted[at]);
            self.known.len() as u32 - 1
        }
    }

    proptest! {
        #[test]
        fn each_key_has_one_id_also_where_hashes_collide(
            rounds in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..6), bits in 0..8_u32
        ) {
            let (mut lookup, mut known) = (Lookup::default(), Vec::new());
            for wanted in &rounds {
                let hashes: Vec<u64> = wanted.iter().map(|key| u64::from(key >> bits)).collect();
                let mut keys = Numbers { wanted, known: &mut known };
                let ids = lookup.find_or_add(&hashes, &mut keys);
                let found: Vec<u8> = ids.iter().map(|id| known[*id as usize]).collect();
                prop_assert_eq!(&found, wanted);
            }
            let mut distinct = known.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), known.len());
        }
    }
}
