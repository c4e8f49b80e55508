//! Mappings of the recorded processes: from addresses to places in files.
//!
//! A recording reports mappings as they come and go, so the answer depends on the moment: feed records
//! in the order of time, and ask between them. The rules are the kernel's:
//! - a process starts with a copy of its parent's mappings ([`AddressSpaces::fork`]);
//! - an exec forgets all mappings of the process ([`AddressSpaces::exec`]);
//! - a new mapping replaces the mappings that it overlaps, also in part ([`AddressSpaces::map`]);
//! - the kernel's half of the addresses is the same in every process.
//!
//! Parent and child share mappings until either of the two changes them, so forks cost nothing.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::address::{Avma, FileOffset};
use crate::profile::BinaryKind;
use rustc_hash::FxHashMap;

/// Handle of the content of a mapping, chosen by the user of this module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MappedId(pub u32);

/// A range of a process's addresses that shows one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// First address.
    pub start: Avma,
    /// First address after the mapping.
    pub end: Avma,
    /// Content of the mapping.
    pub shows: MappedId,
    /// Kind of the binary, which decides the meaning of an offset in the binary.
    pub kind: BinaryKind,
    /// Offset of the first byte in the file.
    pub file_offset: FileOffset,
}

impl Mapping {
    /// Returns the place in the binary of an address of this mapping.
    pub fn offset_of(&self, address: Avma) -> FileOffset {
        match self.kind {
            BinaryKind::File | BinaryKind::Vdso => FileOffset(
                self.file_offset
                    .0
                    .wrapping_add(address.0.wrapping_sub(self.start.0)),
            ),
            BinaryKind::Kernel | BinaryKind::Anonymous | BinaryKind::Unmapped => {
                FileOffset(address.0)
            }
        }
    }
}

/// The mappings of all processes and of the kernel.
#[derive(Debug)]
pub struct AddressSpaces {
    processes: FxHashMap<i32, Space>,
    kernel: Space,
    generations: u64,
}

impl Default for AddressSpaces {
    fn default() -> Self {
        let kernel = Space {
            generation: 1,
            ..Space::default()
        };
        Self {
            processes: FxHashMap::default(),
            kernel,
            generations: 1,
        }
    }
}

/// Mappings by their first address; no two overlap. A generation identifies one state of one space.
#[derive(Clone, Debug, Default)]
struct Space {
    mappings: Rc<BTreeMap<u64, Mapping>>,
    generation: u64,
}

impl AddressSpaces {
    /// Adds a mapping to a process, in place of all mappings that it overlaps.
    pub fn map(&mut self, pid: i32, mapping: Mapping) {
        self.clear(pid, mapping.start, mapping.end);
        if mapping.start < mapping.end {
            let space = self.processes.entry(pid).or_default();
            Rc::make_mut(&mut space.mappings).insert(mapping.start.0, mapping);
        }
    }

    /// Adds a mapping to the kernel's half.
    pub fn map_kernel(&mut self, mapping: Mapping) {
        self.generations += 1;
        self.kernel.generation = self.generations;
        let mappings = Rc::make_mut(&mut self.kernel.mappings);
        carve(mappings, mapping.start.0, mapping.end.0);
        if mapping.start < mapping.end {
            mappings.insert(mapping.start.0, mapping);
        }
    }

    /// Removes a range of addresses from all mappings of a process that cover it.
    pub fn clear(&mut self, pid: i32, start: Avma, end: Avma) {
        self.generations += 1;
        let space = self.processes.entry(pid).or_default();
        space.generation = self.generations;
        if overlaps(&space.mappings, start.0, end.0) {
            carve(Rc::make_mut(&mut space.mappings), start.0, end.0);
        }
    }

    /// Starts a process with a copy of its parent's mappings.
    pub fn fork(&mut self, parent: i32, child: i32) {
        if parent == child {
            return;
        }
        self.generations += 1;
        let mappings = self
            .processes
            .get(&parent)
            .map(|space| Rc::clone(&space.mappings));
        let space = Space {
            mappings: mappings.unwrap_or_default(),
            generation: self.generations,
        };
        self.processes.insert(child, space);
    }

    /// Forgets a process's mappings.
    pub fn exec(&mut self, pid: i32) {
        self.generations += 1;
        let space = Space {
            generation: self.generations,
            ..Space::default()
        };
        self.processes.insert(pid, space);
    }

    /// Returns the mapping of a process that covers an address.
    pub fn find(&self, pid: i32, address: Avma) -> Option<&Mapping> {
        find(&self.processes.get(&pid)?.mappings, address.0)
    }

    /// Returns the mapping of the kernel that covers an address.
    pub fn find_kernel(&self, address: Avma) -> Option<&Mapping> {
        find(&self.kernel.mappings, address.0)
    }

    /// Returns a number that changes whenever the answers of [`Self::find_kernel`] may have changed.
    pub fn kernel_generation(&self) -> u64 {
        self.kernel.generation
    }

    /// Returns a number that changes whenever the answers of [`Self::find`] for this process may have changed,
    /// and that no other process has; zero for a process without mappings.
    pub fn generation(&self, pid: i32) -> u64 {
        self.processes.get(&pid).map_or(0, |space| space.generation)
    }
}

fn find(mappings: &BTreeMap<u64, Mapping>, address: u64) -> Option<&Mapping> {
    let (_, mapping) = mappings.range(..=address).next_back()?;
    (address < mapping.end.0).then_some(mapping)
}

fn overlaps(mappings: &BTreeMap<u64, Mapping>, start: u64, end: u64) -> bool {
    start < end
        && mappings
            .range(..end)
            .next_back()
            .is_some_and(|(_, mapping)| mapping.end.0 > start)
}

/// Removes `start..end` from the mappings; parts of mappings on either side stay.
fn carve(mappings: &mut BTreeMap<u64, Mapping>, start: u64, end: u64) {
    if start >= end {
        return;
    }
    let before = mappings
        .range(..start)
        .next_back()
        .map(|(_, mapping)| *mapping);
    let mut cut: Vec<Mapping> = before.into_iter().filter(|old| old.end.0 > start).collect();
    cut.extend(mappings.range(start..end).map(|(_, mapping)| *mapping));
    for old in cut {
        mappings.remove(&old.start.0);
        if old.start.0 < start {
            mappings.insert(
                old.start.0,
                Mapping {
                    end: Avma(start),
                    ..old
                },
            );
        }
        if old.end.0 > end {
            let skipped = end - old.start.0;
            let file_offset = FileOffset(old.file_offset.0.wrapping_add(skipped));
            mappings.insert(
                end,
                Mapping {
                    start: Avma(end),
                    file_offset,
                    ..old
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(start: u64, end: u64, shows: u32, file_offset: u64) -> Mapping {
        Mapping {
            start: Avma(start),
            end: Avma(end),
            shows: MappedId(shows),
            kind: BinaryKind::File,
            file_offset: FileOffset(file_offset),
        }
    }

    fn place(spaces: &AddressSpaces, pid: i32, address: u64) -> Option<(u32, u64)> {
        let found = spaces.find(pid, Avma(address))?;
        Some((found.shows.0, found.offset_of(Avma(address)).0))
    }

    #[test]
    fn a_mapping_over_the_middle_of_another_leaves_both_ends() {
        let mut spaces = AddressSpaces::default();
        spaces.map(7, mapping(0x1000, 0x9000, 1, 0x400));
        spaces.map(7, mapping(0x3000, 0x4000, 2, 0));
        assert_eq!(place(&spaces, 7, 0x2fff), Some((1, 0x23ff)));
        assert_eq!(place(&spaces, 7, 0x3000), Some((2, 0)));
        assert_eq!(place(&spaces, 7, 0x4000), Some((1, 0x3400)));
        assert_eq!(place(&spaces, 7, 0x9000), None);
        assert_eq!(place(&spaces, 7, 0xfff), None);
    }

    #[test]
    fn a_mapping_over_several_others_removes_them() {
        let mut spaces = AddressSpaces::default();
        for index in 0..8 {
            spaces.map(
                7,
                mapping(index * 0x1000, (index + 1) * 0x1000, index as u32, 0),
            );
        }
        spaces.map(7, mapping(0x1800, 0x5800, 99, 0));
        assert_eq!(place(&spaces, 7, 0x17ff), Some((1, 0x7ff)));
        assert_eq!(place(&spaces, 7, 0x3000), Some((99, 0x1800)));
        assert_eq!(place(&spaces, 7, 0x5800), Some((5, 0x800)));
    }

    #[test]
    fn a_child_keeps_its_parents_mappings_until_it_execs() {
        let mut spaces = AddressSpaces::default();
        spaces.map(1, mapping(0x1000, 0x2000, 1, 0));
        spaces.fork(1, 2);
        spaces.map(1, mapping(0x1000, 0x2000, 5, 0));
        assert_eq!(place(&spaces, 2, 0x1000), Some((1, 0)));
        assert_eq!(place(&spaces, 1, 0x1000), Some((5, 0)));
        spaces.exec(2);
        assert_eq!(place(&spaces, 2, 0x1000), None);
        assert_eq!(place(&spaces, 1, 0x1000), Some((5, 0)));
    }

    #[test]
    fn a_thread_that_starts_changes_nothing() {
        let mut spaces = AddressSpaces::default();
        spaces.map(1, mapping(0x1000, 0x2000, 1, 0));
        spaces.fork(1, 1);
        assert_eq!(place(&spaces, 1, 0x1000), Some((1, 0)));
    }

    #[test]
    fn every_change_and_every_process_has_its_own_generation() {
        let mut spaces = AddressSpaces::default();
        spaces.map(1, mapping(0x1000, 0x2000, 1, 0));
        let first = spaces.generation(1);
        spaces.fork(1, 2);
        assert_ne!(spaces.generation(2), first);
        assert_eq!(spaces.generation(1), first);
        spaces.clear(1, Avma(0x1000), Avma(0x1800));
        assert_ne!(spaces.generation(1), first);
        assert_eq!(place(&spaces, 1, 0x1800), Some((1, 0x800)));
        assert_eq!(place(&spaces, 2, 0x1000), Some((1, 0)));
    }

    #[test]
    fn empty_and_backward_mappings_cover_nothing() {
        let mut spaces = AddressSpaces::default();
        spaces.map(1, mapping(0x1000, 0x1000, 1, 0));
        spaces.map(1, mapping(0x3000, 0x2000, 1, 0));
        assert_eq!(place(&spaces, 1, 0x1000), None);
        assert_eq!(place(&spaces, 1, 0x2800), None);
        assert_eq!(place(&spaces, 1, 0x3000), None);
    }
}
