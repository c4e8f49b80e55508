//! Owners of names at a back end.

use super::At;
use crate::wire::names::Name;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Owner of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// A series that shares none of its names.
    Entry(At),
    /// A group of several series, or of one series under another name.
    Group(u32),
    /// Several owners of a name that may be shared.
    Sharers,
}

/// The bit that tells groups from entries.
const GROUP: u32 = 1 << 31;

impl Owner {
    fn number(self) -> u32 {
        match self {
            Self::Entry(at) => at,
            Self::Group(group) => group | GROUP,
            Self::Sharers => unreachable!("they are counted, none by itself"),
        }
    }

    fn of(number: u32) -> Self {
        match number & GROUP {
            0 => Self::Entry(number),
            _ => Self::Group(number & !GROUP),
        }
    }
}

/// A name, stored as its hash alone, since each of hundreds of thousands of series may have several names. A lookup asks the
/// owner of the name for the text.
#[derive(Clone, Copy, Debug)]
struct Claim {
    hash: u32,
    owner: u32,
}

impl Claim {
    /// Returns the hash for the table: all bits of the name's hash decide the position.
    fn spread(self) -> u64 {
        spread(self.hash)
    }
}

fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Names and their owners (see the module).
#[derive(Debug, Default)]
pub(super) struct Claims {
    table: HashTable<Claim>,
    hash: RandomState,
    /// Number of owners of each name that may be shared.
    shared: HashMap<Box<str>, u32, RandomState>,
}

impl Claims {
    fn hash(&self, name: &Name) -> u32 {
        self.hash.hash_one(name.key()) as u32
    }

    /// Gives names to an owner.
    pub(super) fn add(&mut self, names: &[Name], owner: Owner) {
        for name in names {
            if name.may_be_shared() {
                *self.shared.entry(name.key().0.into()).or_default() += 1;
                continue;
            }
            let (hash, owner) = (self.hash(name), owner.number());
            let claim = Claim { hash, owner };
            self.table
                .insert_unique(claim.spread(), claim, |own| own.spread());
        }
    }

    /// Takes names back from an owner.
    pub(super) fn remove(&mut self, names: &[Name], owner: Owner) {
        for name in names {
            if name.may_be_shared() {
                let sharers = self.shared.get_mut(name.key().0);
                if sharers.is_some_and(|sharers| std::mem::replace(sharers, *sharers - 1) == 1) {
                    self.shared.remove(name.key().0);
                }
                continue;
            }
            let (hash, owner) = (self.hash(name), owner.number());
            let is_it = |own: &Claim| own.hash == hash && own.owner == owner;
            if let Ok(claim) = self.table.find_entry(spread(hash), is_it) {
                claim.remove();
            }
        }
    }

    /// Returns the first owner of any of these names; `names_of` returns all names of an owner.
    pub(super) fn owner(
        &self,
        names: &[Name],
        names_of: impl Fn(Owner) -> Vec<Name>,
    ) -> Option<Owner> {
        let mut owners = names.iter().filter_map(|name| {
            let hash = self.hash(name);
            let has_it = |own: &Claim| {
                let theirs = || names_of(Owner::of(own.owner));
                own.hash == hash && theirs().iter().any(|other| other.key() == name.key())
            };
            match self.table.find(spread(hash), has_it) {
                Some(claim) => Some(Owner::of(claim.owner)),
                None if name.may_be_shared() || name.key().1 => None,
                None => self.shared.get(name.key().0).map(|_| Owner::Sharers),
            }
        });
        owners.next()
    }
}
