//! From the table to a [`Profile`]: addresses become places in files, with the names that the table has for them.

use super::{Function, Label, Location, Mapping, Pprof, PprofError, TextId};
use crate::address::{Avma, BuildId, FileOffset};
use crate::binary_kind;
use crate::branch_stacks::BranchStacks;
use crate::labels;
use crate::limits::SAMPLE_TIMES_MAX;
use crate::own_names::{NameId, OwnName};
use crate::profile::{
    self, Binary, BinaryKind, Event, EventId, LocationId, Profile, Sample, StackEnd, StackId,
    Thread, ThreadId,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// File of functions of which the table names none.
const NO_FILE: &str = "[unknown]";

impl Pprof {
    /// Returns the samples as a profile, in which places are offsets in files, functions with names, or both.
    pub fn to_profile(&self) -> Result<Profile, PprofError> {
        let value = self.preferred_value().ok_or(PprofError::NoSampleTypes)?;
        let count = self.value_of("samples", "count");
        let mut work = Work {
            pprof: self,
            profile: Profile::default(),
            known: FxHashMap::default(),
            threads: FxHashMap::default(),
            texts: FxHashMap::default(),
        };
        let own = self.value_types[value];
        work.profile.events.push(Event {
            name: format!("{}/{}", self.text(own.kind), self.text(own.unit)),
            branches: BranchStacks::None,
        });
        work.profile.losses.malformed_records = self.losses.malformed_samples;
        for sample in &self.samples {
            let Ok(weight) = u64::try_from(sample.values[value]) else {
                work.profile.losses.malformed_records += 1;
                continue;
            };
            let Some((ip, stack)) = work.stack(&sample.stack) else {
                continue;
            };
            let thread = work.thread(&sample.labels);
            work.profile.samples.push(Sample {
                event: EventId(0),
                thread,
                time_ns: 0,
                weight,
                times: count.map_or(1, |count| times_of(sample.values[count])),
                ip,
                stack: Some(stack),
                branches: 0..0,
            });
        }
        Ok(work.profile)
    }

    /// Returns the file of a location and the location's place in it; `None` if it lies in no mapping.
    pub fn in_file(&self, location: &Location) -> Option<(Binary, FileOffset)> {
        let mapping = self.mappings.get(location.mapping? as usize)?;
        let binary = self.binary(mapping);
        let address = location.address;
        let inside = (mapping.start..mapping.limit).contains(&address);
        let offset = match binary.kind {
            BinaryKind::File | BinaryKind::Vdso if inside => {
                mapping.file_offset.wrapping_add(address - mapping.start)
            }
            BinaryKind::Kernel | BinaryKind::Anonymous if address != 0 => address,
            _ => return None,
        };
        Some((binary, FileOffset(offset)))
    }

    /// Returns the file that a mapping shows.
    pub fn binary(&self, mapping: &Mapping) -> Binary {
        let path = self.text(mapping.file);
        let kind = if binary_kind::is_kernel(path) {
            BinaryKind::Kernel
        } else {
            binary_kind::of_user_mapping(path)
        };
        Binary {
            path: path.to_owned(),
            build_id: BuildId::from_hex(self.text(mapping.build_id)),
            kind,
        }
    }

    /// Returns the name of a function for people, or else for linkers; `None` if the table has neither.
    pub fn name_of(&self, function: &Function) -> Option<&str> {
        let names = [function.name, function.system_name];
        let mut names = names.into_iter().map(|name| self.text(name));
        names.find(|name| !name.is_empty())
    }
}

/// Returns the binary, with a name in place of an empty path.
fn with_path(mut binary: Binary) -> Binary {
    if binary.path.is_empty() {
        NO_FILE.clone_into(&mut binary.path);
    }
    binary
}

/// Returns how often a stack was sampled, by the file.
fn times_of(count: i64) -> u64 {
    u64::try_from(count).map_or(1, |count| count.clamp(1, SAMPLE_TIMES_MAX))
}

struct Work<'p> {
    pprof: &'p Pprof,
    profile: Profile,
    /// Places by (location, whether it is a caller).
    known: FxHashMap<(u32, bool), LocationId>,
    /// Threads by the labels in the order of the file.
    threads: FxHashMap<&'p [Label], ThreadId>,
    texts: FxHashMap<TextId, Arc<str>>,
}

impl<'p> Work<'p> {
    /// Returns the leaf and the whole stack, built from the outermost caller inwards.
    fn stack(&mut self, leaf_first: &[u32]) -> Option<(LocationId, StackId)> {
        let mut found = None;
        for (depth, &index) in leaf_first.iter().enumerate().rev() {
            let location = self.place(index, depth > 0);
            let caller = found.map(|(_, stack)| stack);
            found = Some((location, self.profile.intern_frame(location, caller)));
        }
        found
    }

    /// Returns the thread with a sample's labels; pprof has no other facts of threads.
    fn thread(&mut self, labels: &'p [Label]) -> ThreadId {
        if let Some(&known) = self.threads.get(labels) {
            return known;
        }
        let own = labels.iter().map(|label| labels::Label {
            key: self.text(label.key),
            value: self.text(label.value),
        });
        let thread = Thread {
            labels: own.collect(),
            ..Thread::default()
        };
        let thread = self.profile.intern_thread(thread);
        self.threads.insert(labels, thread);
        thread
    }

    /// Returns a text of the file; labels share it.
    fn text(&mut self, id: TextId) -> Arc<str> {
        let text = self.texts.entry(id);
        text.or_insert_with(|| self.pprof.text(id).into()).clone()
    }

    fn place(&mut self, index: u32, is_caller: bool) -> LocationId {
        if let Some(&known) = self.known.get(&(index, is_caller)) {
            return known;
        }
        let pprof = self.pprof;
        let location = &pprof.locations[index as usize];
        let place = match (pprof.in_file(location), self.names(location)) {
            (Some((binary, offset)), name) => {
                let binary = self.profile.intern_binary(with_path(binary));
                let offset = offset.0.wrapping_add(u64::from(is_caller));
                self.profile.intern(profile::Location {
                    name,
                    ..profile::Location::nameless(binary, FileOffset(offset))
                })
            }
            (None, Some(name)) => self.only_named(location, name),
            (None, None) => {
                let address = location.address.wrapping_add(u64::from(is_caller));
                self.profile.losses.unmapped_addresses += 1;
                self.profile.intern_unmapped(Avma(address))
            }
        };
        self.known.insert((index, is_caller), place);
        place
    }

    /// Returns the place of a function without an address; a file that stands for missing callers is the end of its stack.
    fn only_named(&mut self, location: &Location, name: NameId) -> LocationId {
        let mapping = location.mapping;
        let mapping = mapping.and_then(|index| self.pprof.mappings.get(index as usize));
        let binary = mapping.map_or_else(
            || Binary {
                path: String::new(),
                build_id: None,
                kind: BinaryKind::Anonymous,
            },
            |mapping| self.pprof.binary(mapping),
        );
        if let Some(end) = StackEnd::of_name(&binary.path).and_then(StackEnd::binary) {
            let binary = self.profile.intern_binary(end);
            return self.profile.intern_location(binary, FileOffset(0));
        }
        let binary = self.profile.intern_binary(with_path(binary));
        let location = profile::Location::only_named(binary, name);
        self.profile.intern(location)
    }

    /// Returns the names of a location's functions, from the innermost on.
    fn names(&mut self, location: &Location) -> Option<NameId> {
        let mut found = None;
        for line in location.lines.iter().rev() {
            let function = self.pprof.functions.get(line.function as usize);
            let Some((function, name)) =
                function.and_then(|function| Some((function, self.pprof.name_of(function)?)))
            else {
                continue;
            };
            let name = OwnName {
                function: name,
                file: self.pprof.text(function.file),
                line: u32::try_from(line.line).unwrap_or(0),
            };
            found = Some(self.profile.intern_name(name, found));
        }
        found
    }
}
