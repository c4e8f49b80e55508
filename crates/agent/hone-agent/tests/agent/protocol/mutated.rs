//! Bytes that are nearly right.

use proptest::prelude::*;
use proptest::sample::Index;

/// One small damage.
#[derive(Clone, Debug)]
enum Mutation {
    Set(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    Cut(Index),
    Double(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        at().prop_map(Mutation::Remove),
        at().prop_map(Mutation::Cut),
        at().prop_map(Mutation::Double),
    ]
}

/// These bytes after a few damages, or after none.
pub(crate) fn mutated(bytes: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let mutations = prop::collection::vec(mutation(), 0..4);
    (bytes, mutations).prop_map(|(mut bytes, mutations)| {
        for mutation in mutations {
            if !bytes.is_empty() {
                mutate(&mut bytes, mutation);
            }
        }
        bytes
    })
}

fn mutate(bytes: &mut Vec<u8>, mutation: Mutation) {
    let length = bytes.len();
    match mutation {
        Mutation::Set(at, byte) => bytes[at.index(length)] = byte,
        Mutation::Insert(at, byte) => bytes.insert(at.index(length), byte),
        Mutation::Remove(at) => drop(bytes.remove(at.index(length))),
        Mutation::Cut(at) => bytes.truncate(at.index(length)),
        Mutation::Double(at) => bytes.extend_from_within(at.index(length)..),
    }
}
