//! Names of code without a file while a recording is read: the recording's own, or those that others know.

use super::user_copy::Unwind;
use crate::address::Avma;
use crate::code_names::CodeMap;
use crate::profile::Meta;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Names of code without a file by process.
pub(crate) struct NamedCode {
    maps: BTreeMap<i32, CodeMap>,
    /// True if the recording has no names of its own.
    asks_others: bool,
}

impl NamedCode {
    /// Takes the names that the recording holds.
    pub(crate) fn new(recorded: &BTreeMap<i32, CodeMap>) -> Self {
        Self {
            maps: recorded.clone(),
            asks_others: recorded.is_empty(),
        }
    }

    /// Returns the name of the function at an address of a process.
    pub(crate) fn name<'u>(
        &mut self,
        pid: i32,
        address: Avma,
        recording: &Meta,
        others: Option<&mut (dyn Unwind + 'u)>,
    ) -> Option<&str> {
        let map = match self.maps.entry(pid) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let others = others.filter(|_| self.asks_others);
                unknown.insert(
                    others
                        .map_or_else(CodeMap::default, |others| others.code_names(pid, recording)),
                )
            }
        };
        map.at(address)
    }
}
