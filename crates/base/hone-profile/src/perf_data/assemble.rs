//! Follows the processes through time and turns records into samples; the records come in order of time.
//!
//! Most of the time goes into turning addresses into locations (a sample with a branch stack has
//! dozens), and the same addresses come again and again: a small table of the last answers is searched
//! before the address space. The table needs no clearing, since its keys hold the generation of the space
//! of each answer.

use super::event_table::EventTable;
use super::facts::Facts;
use super::format::{KERNEL_HALF, context, misc, record_type};
use super::mapping::{self, MapRecord};
use super::named_code::NamedCode;
use super::sample::RawSample;
use super::source::RawRecord;
use super::tasks::Tasks;
use super::user_copy::{Copied, ProcessView, Unwind, UserCopy, end_of};
use crate::address::{Avma, BuildId, FileOffset};
use crate::address_space::{AddressSpaces, MappedId, Mapping};
use crate::branch_stacks::BranchStacks;
use crate::limits::{BRANCH_STACK_MAX, CALL_CHAIN_MAX};
use crate::profile::{
    Binary, BinaryId, BinaryKind, BranchRecord, Event, EventId, LocationId, Losses, Profile,
    Sample, StackEnd, StackId,
};
use rustc_hash::FxHashMap;

/// perf's name for the kernel's image.
const KERNEL_NAME: &str = "[kernel.kallsyms]";
/// Number of remembered answers; a power of two.
const ANSWERS: usize = 1 << 13;

/// Receiver of samples, called with the profile so far, the sample and the sample's branch records.
pub(crate) type Take<'f> = dyn FnMut(&Profile, &Sample, &[BranchRecord]) + 'f;

/// Owner of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    User,
    Kernel,
    /// A hypervisor or a virtual machine, whose mappings are unknown.
    Elsewhere,
}

impl Mode {
    fn of_record(record: RawRecord<'_>) -> Self {
        match record.misc & misc::CPUMODE_MASK {
            misc::KERNEL => Self::Kernel,
            0 | misc::USER => Self::User,
            _ => Self::Elsewhere,
        }
    }

    /// Returns the mode of an address by its value: user code branches into the kernel.
    fn narrow(self, address: u64) -> Self {
        match self {
            Self::User if address >= KERNEL_HALF => Self::Kernel,
            mode => mode,
        }
    }
}

/// A file that was mapped; it becomes one of the profile's binaries when the first sample falls in it.
struct Mapped {
    binary: Binary,
    id: Option<BinaryId>,
}

/// Meaning of an address of a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// An instruction that ran.
    Instruction,
    /// An address to which a call returns: the call is just before.
    Return,
    /// An end of a branch. In code without a file, too, it is wanted as an address.
    Branch,
}

/// A remembered location of an address.
#[derive(Clone, Copy)]
struct Answer {
    generation: u64,
    address: u64,
    role: Role,
    location: LocationId,
    is_mapped: bool,
}

/// A profile under construction.
pub(crate) struct Assembly<'t, 'f> {
    take: &'t mut Take<'f>,
    unwind: Option<&'t mut dyn Unwind>,
    build_ids: FxHashMap<String, BuildId>,
    named_code: NamedCode,
    profile: Profile,
    spaces: AddressSpaces,
    tasks: Tasks,
    mapped: Vec<Mapped>,
    mapped_ids: FxHashMap<Binary, MappedId>,
    kernel: MappedId,
    answers: Vec<Answer>,
    /// Frames of the current call chain, leaf first.
    frames: Vec<LocationId>,
    /// Branch records of the current sample, newest first.
    branches: Vec<BranchRecord>,
    /// Unwound addresses of the current sample.
    unwound: Vec<u64>,
}

impl<'t, 'f> Assembly<'t, 'f> {
    /// Creates a profile of these events without samples. Files get the build ids that are known for their paths.
    pub(crate) fn new(
        events: &EventTable,
        facts: &Facts,
        unwind: Option<&'t mut dyn Unwind>,
        take: &'t mut Take<'f>,
    ) -> Self {
        let nothing = Answer {
            generation: u64::MAX,
            address: 0,
            role: Role::Branch,
            location: LocationId(0),
            is_mapped: false,
        };
        let mut assembly = Self {
            take,
            unwind,
            build_ids: facts.build_ids.clone(),
            named_code: NamedCode::new(&facts.code_names),
            profile: Profile::default(),
            spaces: AddressSpaces::default(),
            tasks: Tasks::default(),
            mapped: Vec::new(),
            mapped_ids: FxHashMap::default(),
            kernel: MappedId(0),
            answers: vec![nothing; ANSWERS],
            frames: Vec::new(),
            branches: Vec::new(),
            unwound: Vec::new(),
        };
        assembly.profile.meta = facts.meta.clone();
        assembly.kernel = assembly.mapped_id(KERNEL_NAME.into(), None, BinaryKind::Kernel);
        assembly.set_events(events);
        assembly
    }

    /// Replaces the events after more of them became known.
    pub(crate) fn set_events(&mut self, events: &EventTable) {
        let entries = events.entries().iter().enumerate();
        self.profile.events = entries
            .map(|(index, entry)| Event {
                name: events.name(index),
                branches: entry.attr.branch_stacks(),
            })
            .collect();
    }

    /// Processes the next record in order of time.
    pub(crate) fn record(&mut self, record: RawRecord<'_>, events: &EventTable) {
        if self.understand(record, events).is_none() {
            self.profile.losses.malformed_records += 1;
        }
    }

    /// Returns the profile, with the facts that are known only at the end.
    pub(crate) fn finish(mut self, facts: Facts, losses: Losses) -> Profile {
        self.profile.meta = facts.meta;
        // A pipe may send build ids after the mappings.
        for binary in &mut self.profile.binaries {
            if binary.build_id.is_none() {
                binary.build_id = facts.build_ids.get(&binary.path).cloned();
            }
        }
        let counted_here = std::mem::replace(&mut self.profile.losses, losses);
        let total = &mut self.profile.losses;
        if let Some(time) = &self.profile.meta.cpu_time {
            total.accounted = time.beside(counted_here.accounted, total.lost_samples);
        }
        total.malformed_records += counted_here.malformed_records;
        total.unmapped_addresses += counted_here.unmapped_addresses;
        total.dropped_branches += counted_here.dropped_branches;
        total.not_unwound += counted_here.not_unwound;
        self.profile
    }

    fn understand(&mut self, record: RawRecord<'_>, events: &EventTable) -> Option<()> {
        match record.kind {
            record_type::SAMPLE => self.sample(record, events),
            record_type::MMAP | record_type::MMAP2 => {
                self.map(mapping::parse(record)?);
                Some(())
            }
            record_type::COMM => {
                let exec_of = self.tasks.comm(record.misc, record.body)?;
                if let Some(pid) = exec_of {
                    self.spaces.exec(pid);
                }
                Some(())
            }
            record_type::FORK => {
                let fork = self.tasks.fork(record.misc, record.body)?;
                if let Some((parent, child)) = fork {
                    self.spaces.fork(parent, child);
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn map(&mut self, record: MapRecord) {
        if record.is_data {
            self.spaces.clear(record.pid, record.start, record.end);
            return;
        }
        let kind = record.kind();
        let shows = self.mapped_id(record.path, record.build_id, kind);
        let mapping = Mapping {
            start: record.start,
            end: record.end,
            shows,
            kind,
            file_offset: record.file_offset,
        };
        if kind == BinaryKind::Kernel {
            self.spaces.map_kernel(mapping);
        } else {
            self.spaces.map(record.pid, mapping);
        }
    }

    fn mapped_id(&mut self, path: String, build_id: Option<BuildId>, kind: BinaryKind) -> MappedId {
        let build_id = build_id.or_else(|| self.build_ids.get(&path).cloned());
        let binary = Binary {
            path,
            build_id,
            kind,
        };
        if let Some(&id) = self.mapped_ids.get(&binary) {
            return id;
        }
        let id = MappedId(self.mapped.len() as u32);
        self.mapped.push(Mapped {
            binary: binary.clone(),
            id: None,
        });
        self.mapped_ids.insert(binary, id);
        id
    }

    fn sample(&mut self, record: RawRecord<'_>, events: &EventTable) -> Option<()> {
        let event = events.of_sample(record.body)?;
        let attr = &events.entries()[event].attr;
        let raw = RawSample::parse(attr, record.body)?;
        if raw.call_chain_len() > CALL_CHAIN_MAX {
            return None;
        }
        let mode = Mode::of_record(record);
        let thread = self.tasks.thread(raw.pid, raw.tid, &mut self.profile);
        let ip = self.locate(raw.pid, raw.ip, mode, Role::Instruction);
        let in_branches = attr.branch_stacks() == BranchStacks::CallStack;
        let stack = self.stack(&raw, mode, in_branches && raw.branches().next().is_some());
        self.find_branches(&raw);
        let sample = Sample {
            event: EventId(event as u32),
            thread,
            time_ns: raw.time_ns,
            weight: raw.weight,
            times: 1,
            ip,
            stack,
            branches: 0..self.branches.len() as u32,
        };
        if !self.profile.events.get(event).is_some_and(Event::is_walk) {
            let accounted = &mut self.profile.losses.accounted;
            accounted.samples += 1;
            accounted.sampled_ns = accounted.sampled_ns.saturating_add(raw.weight);
        }
        (self.take)(&self.profile, &sample, &self.branches);
        Some(())
    }

    /// Returns the call chain as an interned stack, built from the outermost caller inwards. The callers of user code may be in
    /// the branch stack instead.
    fn stack(&mut self, raw: &RawSample<'_>, of: Mode, in_branches: bool) -> Option<StackId> {
        let mut mode = of;
        let mut end = StackEnd::Root;
        let mut role = Role::Instruction;
        self.frames.clear();
        for word in raw.call_chain() {
            if word < context::MAX {
                // The user's frames come from the copied stack or the branch stack.
                let is_copied = matches!(raw.copied, Copied::Copy(_)) && self.unwind.is_some();
                if mode == Mode::User && (is_copied || in_branches) {
                    continue;
                }
                if mode == Mode::User
                    && let Some(marked) = end_of(word)
                {
                    end = marked;
                    continue;
                }
                let frame = self.locate(raw.pid, word, mode, role);
                self.frames.push(frame);
                role = Role::Return;
                continue;
            }
            // The first address of a thread's user code is where the thread is, also below the kernel's.
            role = Role::Instruction;
            mode = match word {
                context::USER => Mode::User,
                context::KERNEL => Mode::Kernel,
                context::USER_DEFERRED => break,
                _ => Mode::Elsewhere,
            };
        }
        if in_branches {
            self.push_calls(raw, of);
        }
        match raw.copied {
            Copied::Nothing => {}
            Copied::Foreign => {
                self.profile.losses.not_unwound += 1;
                end = StackEnd::Broken;
            }
            Copied::Copy(copy) => end = self.unwound(raw.pid, &copy).unwrap_or(end),
        }
        let mut stack = match self.frames.is_empty() {
            true => None,
            false => self.profile.intern_end(end),
        };
        for &frame in self.frames.iter().rev() {
            stack = Some(self.profile.intern_frame(frame, stack));
        }
        stack
    }

    /// Adds the user's frames from a branch stack of calls that had not returned.
    fn push_calls(&mut self, raw: &RawSample<'_>, mode: Mode) {
        let innermost = raw.branches().next().map_or(raw.ip, |newest| newest.to);
        let leaf = match mode {
            Mode::User => raw.ip,
            Mode::Kernel | Mode::Elsewhere => innermost,
        };
        // The return address is not known, and any address behind the first byte of a call is looked up as the call.
        let callers = raw.branches().map(|call| call.from.saturating_add(1));
        let mut role = Role::Instruction;
        for address in std::iter::once(leaf).chain(callers).take(CALL_CHAIN_MAX) {
            let frame = self.locate(raw.pid, address, Mode::User, role);
            self.frames.push(frame);
            role = Role::Return;
        }
    }

    /// Adds the user's frames that a copied stack leads to; `None` without an unwinder.
    fn unwound(&mut self, pid: i32, copy: &UserCopy<'_>) -> Option<StackEnd> {
        let Some(unwind) = &mut self.unwind else {
            self.profile.losses.not_unwound += 1;
            return None;
        };
        let mut addresses = std::mem::take(&mut self.unwound);
        addresses.clear();
        let mapped = &self.mapped;
        let process = ProcessView {
            spaces: &self.spaces,
            binaries: &|number| Some(&mapped.get(number as usize)?.binary),
            pid,
            kernel: &self.profile.meta.kernel,
        };
        let end = unwind.unwind(&process, copy, &mut addresses);
        addresses.truncate(CALL_CHAIN_MAX);
        let mut role = Role::Instruction;
        for &address in &addresses {
            let frame = self.locate(pid, address, Mode::User, role);
            self.frames.push(frame);
            role = Role::Return;
        }
        self.unwound = addresses;
        Some(end)
    }

    fn find_branches(&mut self, raw: &RawSample<'_>) {
        self.branches.clear();
        for (index, branch) in raw.branches().enumerate() {
            if branch.from == 0 && branch.to == 0 || index >= BRANCH_STACK_MAX {
                self.profile.losses.dropped_branches += 1;
                continue;
            }
            let [from, to] = [branch.from, branch.to]
                .map(|address| self.locate(raw.pid, address, Mode::User, Role::Branch));
            self.branches.push(BranchRecord {
                from,
                to,
                mispredicted: branch.mispredicted(),
                kind: branch.kind(),
                third_argument: branch.third_argument(),
            });
        }
    }

    /// Returns the location of an address of a process at this moment.
    fn locate(&mut self, pid: i32, address: u64, mode: Mode, role: Role) -> LocationId {
        let mode = mode.narrow(address);
        let generation = match mode {
            Mode::User => self.spaces.generation(pid),
            Mode::Kernel => self.spaces.kernel_generation(),
            Mode::Elsewhere => return self.unmapped(address),
        };
        let slot = slot_of(generation, address);
        let known = self.answers[slot];
        if (known.generation, known.address, known.role) == (generation, address, role) {
            self.profile.losses.unmapped_addresses += u64::from(!known.is_mapped);
            return known.location;
        }
        let found = match mode {
            Mode::Kernel => {
                let mapping = self.spaces.find_kernel(Avma(address));
                Some((
                    mapping.map_or(self.kernel, |mapping| mapping.shows),
                    FileOffset(address),
                ))
            }
            _ => {
                let mapping = self.spaces.find(pid, Avma(address));
                mapping.map(|mapping| (mapping.shows, mapping.offset_of(Avma(address))))
            }
        };
        let location = match found {
            Some((shows, offset)) => {
                let binary = self.binary(shows);
                let kind = self.profile.binary(binary).kind;
                let name = match kind {
                    BinaryKind::Anonymous => self.name_of_code(pid, address, role),
                    _ => None,
                };
                match name {
                    Some(name) => self.profile.intern_named(binary, &name),
                    None => self.profile.intern_location(binary, offset),
                }
            }
            None => self.unmapped(address),
        };
        let is_mapped = found.is_some();
        self.answers[slot] = Answer {
            generation,
            address,
            role,
            location,
            is_mapped,
        };
        location
    }

    /// Returns the name of code without a file.
    fn name_of_code(&mut self, pid: i32, address: u64, role: Role) -> Option<String> {
        let address = match role {
            Role::Instruction => address,
            Role::Return => address.wrapping_sub(1),
            Role::Branch => return None,
        };
        let others = self.unwind.as_deref_mut();
        let meta = &self.profile.meta;
        let name = self.named_code.name(pid, Avma(address), meta, others);
        name.map(str::to_owned)
    }

    fn unmapped(&mut self, address: u64) -> LocationId {
        self.profile.losses.unmapped_addresses += 1;
        self.profile.intern_unmapped(Avma(address))
    }

    fn binary(&mut self, shows: MappedId) -> BinaryId {
        let mapped = &mut self.mapped[shows.0 as usize];
        *mapped
            .id
            .get_or_insert_with(|| self.profile.intern_binary(mapped.binary.clone()))
    }
}

/// Returns the slot in which the answer for an address is remembered.
fn slot_of(generation: u64, address: u64) -> usize {
    let mixed = (address ^ generation << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - ANSWERS.trailing_zeros())) as usize
}
