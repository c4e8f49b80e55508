//! Places of addresses in files, by the lines of mappings so far.

use super::KnownBinary;
use super::record::Map;
use crate::address::{Avma, BuildId, FileOffset, Svma};
use crate::address_space::{AddressSpaces, MappedId, Mapping};
use crate::binary_kind;
use crate::own_names::NameId;
use crate::profile::{Binary, BinaryKind, Location, LocationId, Profile};
use rustc_hash::{FxHashMap, FxHashSet};

/// Process id under which a binary of fixed address is assumed; no real process has this number.
const ASSUMED: i32 = i32::MIN;

/// Maximum number of processes that are searched for a sample without a process id. Each search covers all of them.
const PROCESSES_ASKED_MAX: usize = 256;

const KERNEL: &str = "[kernel.kallsyms]";
/// File of functions and addresses of which the text names none.
const NO_FILE: &str = "[unknown]";
/// Start of the last page of addresses, which holds no code: return addresses there are errors, -1 for one.
const NO_CODE: u64 = 0_u64.wrapping_sub(4096);

/// File behind or before an address, as an index into [`Places::files`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum InFile {
    /// The file of this name.
    Named(u32),
    /// The file with this build id, in whose own view the address is.
    Build(u32),
}

/// One level of a call chain. perf prints an address or, since 4.x, an offset in the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) number: u64,
    pub(super) file: Option<InFile>,
    /// Name of the function, if perf printed one.
    pub(super) name: Option<NameId>,
}

impl Frame {
    pub(super) fn address(number: u64) -> Self {
        Self {
            number,
            file: None,
            name: None,
        }
    }
}

#[derive(Default)]
pub(super) struct Places {
    spaces: AddressSpaces,
    /// The binary that the question is about.
    own: Option<KnownBinary>,
    /// Processes with mappings.
    pids: FxHashSet<i32>,
    mapped: Vec<Binary>,
    mapped_ids: FxHashMap<Binary, MappedId>,
    /// Names of files that were printed with frames.
    files: Vec<String>,
    file_ids: FxHashMap<String, u32>,
    /// Places by process and address, cleared when a mapping changes.
    known: FxHashMap<(Option<i32>, Frame), (LocationId, bool)>,
}

impl Places {
    pub(super) fn has_mappings(&self) -> bool {
        !self.pids.is_empty()
    }

    /// Remembers the binary that the question is about.
    pub(super) fn know(&mut self, own: &KnownBinary) {
        self.own = Some(own.clone());
    }

    /// Treats addresses of any process as addresses of a binary.
    pub(super) fn assume(&mut self, fixed: &KnownBinary) {
        let shows = self.mapped_id(Binary {
            path: fixed.path.clone(),
            // The text has no build id to compare.
            build_id: None,
            kind: BinaryKind::File,
        });
        for &(start, len, file_offset) in &fixed.segments {
            let mapping = Mapping {
                start: Avma(start.0),
                end: Avma(start.0.saturating_add(len)),
                shows,
                kind: BinaryKind::File,
                file_offset,
            };
            self.spaces.map(ASSUMED, mapping);
        }
        self.pids.insert(ASSUMED);
    }

    pub(super) fn map(&mut self, map: &Map<'_>) {
        self.known.clear();
        let is_kernel = map.pid == -1 || is_kernel(map.start.0);
        if !map.is_executable && !is_kernel {
            self.spaces.clear(map.pid, map.start, map.end);
            return;
        }
        let (kind, path) = if is_kernel {
            let end = map.path.find(']').map_or(map.path.len(), |end| end + 1);
            (BinaryKind::Kernel, &map.path[..end])
        } else {
            (binary_kind::of_user_mapping(map.path), map.path)
        };
        let shows = self.mapped_id(Binary {
            path: path.to_owned(),
            build_id: map.build_id.clone(),
            kind,
        });
        let mapping = Mapping {
            start: map.start,
            end: map.end,
            shows,
            kind,
            file_offset: map.file_offset,
        };
        if is_kernel {
            self.spaces.map_kernel(mapping);
            return;
        }
        self.spaces.map(map.pid, mapping);
        self.pids.insert(map.pid);
    }

    pub(super) fn exec(&mut self, pid: i32) {
        self.known.clear();
        self.spaces.exec(pid);
    }

    pub(super) fn fork(&mut self, parent: i32, child: i32) {
        self.known.clear();
        self.spaces.fork(parent, child);
        if self.pids.contains(&parent) {
            self.pids.insert(child);
        }
    }

    fn mapped_id(&mut self, binary: Binary) -> MappedId {
        if let Some(&id) = self.mapped_ids.get(&binary) {
            return id;
        }
        let id = MappedId(self.mapped.len() as u32);
        self.mapped.push(binary.clone());
        self.mapped_ids.insert(binary, id);
        id
    }

    pub(super) fn file_id(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.file_ids.get(name) {
            return id;
        }
        let id = self.files.len() as u32;
        self.files.push(name.to_owned());
        self.file_ids.insert(name.to_owned(), id);
        id
    }

    /// Returns the place of an address, and true if a mapping covers the address.
    pub(super) fn locate(
        &mut self,
        pid: Option<i32>,
        frame: Frame,
        profile: &mut Profile,
    ) -> (LocationId, bool) {
        if let Some(&known) = self.known.get(&(pid, frame)) {
            return known;
        }
        let found = self.look_up(pid, frame, profile);
        self.known.insert((pid, frame), found);
        found
    }

    fn look_up(&self, pid: Option<i32>, frame: Frame, profile: &mut Profile) -> (LocationId, bool) {
        let Frame { number, name, .. } = frame;
        let text = |index: u32| self.files[index as usize].as_str();
        let (file, place) = match frame.file {
            Some(InFile::Build(id)) => (None, Some(self.in_build(text(id), number))),
            named => {
                let file = match named {
                    Some(InFile::Named(name)) => Some(text(name)),
                    _ => None,
                };
                (file, self.place(pid, number, file))
            }
        };
        if let Some((binary, offset)) = place {
            let binary = profile.intern_binary(binary);
            let location = Location {
                name,
                ..Location::nameless(binary, offset)
            };
            return (profile.intern(location), true);
        }
        let location = match name {
            Some(name) => {
                let binary = profile.intern_binary(self.binary(file.unwrap_or(NO_FILE)));
                profile.intern(Location::only_named(binary, name))
            }
            None => profile.intern_unmapped(Avma(number)),
        };
        (location, false)
    }

    /// Returns the file of a number behind which the text prints a file or none, and the place in that file.
    fn place(
        &self,
        pid: Option<i32>,
        number: u64,
        file: Option<&str>,
    ) -> Option<(Binary, FileOffset)> {
        if number >= NO_CODE {
            return None;
        }
        if is_kernel(number) {
            return Some(self.kernel_place(number));
        }
        let mapping = self.user_mapping(pid, Avma(number));
        let mapped = mapping.map(|mapping| {
            let binary = self.mapped[mapping.shows.0 as usize].clone();
            (binary, mapping.offset_of(Avma(number)))
        });
        let is_there = |file: &str| {
            let mapped = mapped.as_ref();
            mapped.is_some_and(|(binary, _)| binary.path == file)
        };
        // If the address does not lie in the printed file, it is an offset in that file.
        let in_file = file.filter(|file| !is_there(file));
        in_file
            .and_then(|file| self.offset_in(file, number))
            .or(mapped)
    }

    /// Returns the place of an address in the own view of the file with a build id. Of files other than the one that the question
    /// is about no more is known than that they are other files.
    fn in_build(&self, id: &str, address: u64) -> (Binary, FileOffset) {
        let build_id = BuildId::from_hex(id);
        let own = self.own.as_ref().filter(|own| own.build_id == build_id);
        let in_segment = own.and_then(|own| {
            let mut segments = own.segments.iter();
            let behind = |start: Svma| address.checked_sub(start.0);
            segments.find_map(|&(start, len, offset)| {
                let behind = behind(start).filter(|behind| *behind < len)?;
                Some((&own.path, FileOffset(offset.0.wrapping_add(behind))))
            })
        });
        let (path, offset) = match in_segment {
            Some((path, offset)) => (path.clone(), offset),
            None => (id.to_owned(), FileOffset(address)),
        };
        let binary = Binary {
            path,
            build_id,
            kind: BinaryKind::File,
        };
        (binary, offset)
    }

    /// Returns the place of a caller without a name or a mapping, behind which the text names further callers: perf knew where
    /// those are.
    pub(super) fn between(&self, number: u64, profile: &mut Profile) -> LocationId {
        let binary = profile.intern_binary(self.binary(NO_FILE));
        profile.intern_location(binary, FileOffset(number))
    }

    fn kernel_place(&self, address: u64) -> (Binary, FileOffset) {
        let mapping = self.spaces.find_kernel(Avma(address));
        let binary = match mapping {
            Some(mapping) => self.mapped[mapping.shows.0 as usize].clone(),
            None => Binary {
                path: KERNEL.into(),
                build_id: None,
                kind: BinaryKind::Kernel,
            },
        };
        (binary, FileOffset(address))
    }

    fn offset_in(&self, file: &str, offset: u64) -> Option<(Binary, FileOffset)> {
        let binary = self.binary(file);
        let has_offsets = matches!(binary.kind, BinaryKind::File | BinaryKind::Vdso);
        has_offsets.then_some((binary, FileOffset(offset)))
    }

    /// Returns the binary that the text calls by this name.
    fn binary(&self, file: &str) -> Binary {
        let mut mapped = self.mapped.iter();
        match mapped.find(|binary| binary.path == file) {
            Some(binary) => binary.clone(),
            None => Binary {
                path: file.to_owned(),
                build_id: None,
                kind: binary_kind::of_user_mapping(file),
            },
        }
    }

    /// Returns the mapping in the process; if the process is not known, the mapping on which all processes agree.
    fn user_mapping(&self, pid: Option<i32>, address: Avma) -> Option<Mapping> {
        if let Some(pid) = pid
            && self.spaces.generation(pid) != 0
        {
            return self.spaces.find(pid, address).copied();
        }
        if self.pids.len() > PROCESSES_ASKED_MAX {
            return None;
        }
        let mut found: Option<Mapping> = None;
        for &pid in &self.pids {
            let Some(mapping) = self.spaces.find(pid, address) else {
                continue;
            };
            let place = |mapping: &Mapping| (mapping.shows, mapping.offset_of(address));
            if found.is_some_and(|other| place(&other) != place(mapping)) {
                return None;
            }
            found = Some(*mapping);
        }
        found
    }
}

/// Returns true for the upper half of the addresses, which is the kernel's.
pub(super) fn is_kernel(address: u64) -> bool {
    address >> 63 == 1
}
