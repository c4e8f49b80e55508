//! The in-memory profile: interned columns, referred to by handles.
//!
//! ```text
//! Sample ──thread──▶ Thread
//!    │ ├──event────▶ Event
//!    │ └──stack────▶ (LocationId, parent StackId) ──▶ Location = (BinaryId, FileOffset)
//!    └──branches──▶ BranchRecord { from: LocationId, to: LocationId }, newest first
//! ```
//!
//! A location names a byte of a file, not an address of a process: the same code in two processes, at
//! two load addresses, is one location.

use crate::address::{Avma, BuildId, FileOffset};
use crate::branch_stacks::BranchStacks;
use crate::counted_branches::WALK_EVENT;
use crate::interner::Interner;
use crate::labels::Labels;
use crate::operands::Operands;
use crate::own_names::{NameId, OwnName, OwnNames};
use crate::resources::{Accounted, CpuQuota, CpuTime, MemoryUse};
use crate::third_argument::ThirdArgument;
use rustc_hash::FxHashMap;
use std::ops::Range;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The handle as an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

handle! {
    /// Index into [`Profile::events`].
    EventId
}
handle! {
    /// Index into [`Profile::threads`].
    ThreadId
}
handle! {
    /// Index into [`Profile::binaries`].
    BinaryId
}
handle! {
    /// Handle of an interned [`Location`].
    LocationId
}
handle! {
    /// Handle of an interned stack: a location and the stack of its caller.
    StackId
}

/// One kind of event that was sampled, such as `cpu-clock` or Hone's own `hone-walk`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event {
    /// Name that the recorder gave to the event.
    pub name: String,
    /// Content of the branch stacks of the event's samples.
    pub branches: BranchStacks,
}

impl Event {
    /// True if the samples are pieces of walks made in software, and do not represent equal times.
    pub fn is_walk(&self) -> bool {
        self.name == WALK_EVENT
    }
}

/// Kind of code in a [`Binary`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryKind {
    /// An ELF file; offsets are file offsets.
    File,
    /// The kernel or one of its modules; offsets are kernel addresses.
    Kernel,
    /// The vdso; offsets are offsets in its image.
    Vdso,
    /// Memory without a file (JIT code, `//anon`); offsets are addresses in the process.
    Anonymous,
    /// No mapping was known for the address; offsets are addresses in the process.
    Unmapped,
}

/// A file (or something like one) in which samples fell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Binary {
    /// The path as the recorded process saw it.
    pub path: String,
    /// Build id, if the recording holds one.
    pub build_id: Option<BuildId>,
    /// Kind of the binary, which decides the meaning of its offsets.
    pub kind: BinaryKind,
}

/// Offset of the locations that have names in place of addresses: no file is that long, and no memory lies there.
const NOWHERE: FileOffset = FileOffset(u64::MAX);

/// Place of one instruction: a binary and an offset in it. A function of which the recording knows the name alone is a place, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// Binary that holds the instruction.
    pub binary: BinaryId,
    /// Offset in the binary; [`BinaryKind`] tells the meaning of the number. Without meaning unless [`Location::has_address`].
    pub offset: FileOffset,
    /// Name that the recording itself has for the place; see [`Profile::own_names`].
    pub name: Option<NameId>,
}

impl Location {
    /// Creates the place of an instruction that the recording does not name.
    pub fn nameless(binary: BinaryId, offset: FileOffset) -> Self {
        Self {
            binary,
            offset,
            name: None,
        }
    }

    /// Creates the place of a function of which only the name is known.
    pub fn only_named(binary: BinaryId, name: NameId) -> Self {
        Self {
            binary,
            offset: NOWHERE,
            name: Some(name),
        }
    }

    /// Returns true if the offset is known.
    pub fn has_address(self) -> bool {
        self.offset != NOWHERE
    }
}

/// A thread that was sampled, as it was at the time of the sample.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Thread {
    /// Process id in the recording's pid namespace.
    pub pid: i32,
    /// Thread id.
    pub tid: i32,
    /// Command name at the time of the sample (`comm`).
    pub name: String,
    /// Labels at the time of the sample; pprof alone has labels.
    pub labels: Labels,
}

/// Kind of a branch, if the recorder stored it (`PERF_SAMPLE_BRANCH_TYPE_SAVE`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BranchKind {
    /// Not recorded; the instruction's bytes tell the kind.
    #[default]
    Unknown,
    /// Conditional jump.
    Conditional,
    /// Direct unconditional jump.
    Jump,
    /// Indirect jump.
    IndirectJump,
    /// Direct call.
    Call,
    /// Indirect call.
    IndirectCall,
    /// Return.
    Return,
    /// System call, interrupt or their return.
    System,
}

/// One taken branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BranchRecord {
    /// The branch instruction.
    pub from: LocationId,
    /// The instruction that the branch went to.
    pub to: LocationId,
    /// True if the CPU had predicted otherwise; false also if the prediction was not recorded.
    pub mispredicted: bool,
    /// The kind of branch, if recorded.
    pub kind: BranchKind,
    /// Third argument, if the branch is a call that Hone walked; meaningless for the branches of other recorders.
    pub third_argument: ThirdArgument,
}

/// End of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StackEnd {
    /// The stack reached its root, as far as the recording tells: chains of frame pointers do not mark it.
    Root,
    /// The copied part of the stack was used up; there are more callers.
    Truncated,
    /// The next caller could not be found.
    Broken,
}

impl StackEnd {
    /// Returns the name of the binary that stands for the missing callers.
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Root => None,
            Self::Truncated => Some("[truncated stack]"),
            Self::Broken => Some("[broken stack]"),
        }
    }

    /// Returns the end whose missing callers a binary of this name stands for.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let mut ends = [Self::Truncated, Self::Broken].into_iter();
        ends.find(|end| end.name() == Some(name))
    }

    /// Returns the binary that stands for the missing callers; `None` for [`StackEnd::Root`].
    pub fn binary(self) -> Option<Binary> {
        Some(Binary {
            path: self.name()?.into(),
            build_id: None,
            kind: BinaryKind::Unmapped,
        })
    }
}

/// One sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Event that fired.
    pub event: EventId,
    /// Thread in which the event fired.
    pub thread: ThreadId,
    /// Time in nanoseconds of the recording's clock; 0 if the recording has no times.
    pub time_ns: u64,
    /// Number of events that the sample represents (`PERF_SAMPLE_PERIOD`), summed over `times`; nanoseconds for `cpu-clock`.
    pub weight: u64,
    /// Number of times the sample was seen, branch records included: 1 in recordings, a count in aggregated texts and pprof.
    pub times: u64,
    /// Location of the instruction that was running.
    pub ip: LocationId,
    /// Call stack, leaf first; `None` if no stack was recorded. The callers' locations are where their
    /// callees return to: just after the call.
    pub stack: Option<StackId>,
    /// Range of the sample's branch records in [`Profile::branches`], newest first.
    pub branches: Range<u32>,
}

/// Facts about the recording as a whole; empty strings and `None` if the file has no such fact.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meta {
    /// Host name.
    pub host: String,
    /// Kernel release.
    pub kernel: String,
    /// Architecture, such as `x86_64`.
    pub arch: String,
    /// CPU description.
    pub cpu: String,
    /// The recorder's command line.
    pub command: Vec<String>,
    /// The CPU quota under which the recorded processes ran; `None` also if there was no quota.
    pub cpu_quota: Option<CpuQuota>,
    /// Memory that the recorded Go programs used and might have used; one entry for each process.
    pub memory: Vec<MemoryUse>,
    /// CPU time that the recorded processes used; `None` if the recorder does not tell.
    pub cpu_time: Option<CpuTime>,
    /// Operands that walks met; `None` if no walk looked.
    pub operands: Option<Operands>,
}

/// Counts of input that a reader could not use. All zero means that everything was used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    /// Records of a type this version does not know or cannot use, by type number.
    pub unknown_records: FxHashMap<u32, u64>,
    /// Records whose content contradicts their length or their event's format, and sections that are not
    /// where the header says.
    pub malformed_records: u64,
    /// Samples that the kernel or the recorder reported as lost (`PERF_RECORD_LOST` and
    /// `PERF_RECORD_LOST_SAMPLES`, the larger sum of the two, since both report the same losses).
    pub lost_samples: u64,
    /// Addresses that no mapping covered (kept as [`BinaryKind::Unmapped`] locations).
    pub unmapped_addresses: u64,
    /// Branch entries beyond [`crate::limits::BRANCH_STACK_MAX`], or whose ends were both zero.
    pub dropped_branches: u64,
    /// Samples with a copied stack that was not unwound: the code is not 64-bit, or there is no unwinder.
    pub not_unwound: u64,
    /// Bytes that the file should have at its end, but that no whole record covers: the file was cut short,
    /// or its recorder was, or the file is corrupt.
    pub truncated_bytes: u64,
    /// Position in the file of a record with an impossible length, behind which nothing could be read.
    pub corrupt_at: Option<u64>,
    /// CPU time that was used, and what samples stand for: the difference was never sampled.
    pub accounted: Accounted,
    /// True if the recorder did not finish the header, as it does at its end: the recorder was killed, or still runs. Facts that
    /// are written only at the end (build ids, names of events) are missing.
    pub unfinished: bool,
}

/// Samples with stacks and branch records. Built by the readers of this crate.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Facts about the recording.
    pub meta: Meta,
    /// Events that were sampled.
    pub events: Vec<Event>,
    /// Files in which samples fell.
    pub binaries: Vec<Binary>,
    /// Threads that were sampled.
    pub threads: Vec<Thread>,
    /// The samples, in the order of the recording.
    pub samples: Vec<Sample>,
    /// Branch records of all samples; each sample holds its range.
    pub branches: Vec<BranchRecord>,
    /// Counts of input that could not be used.
    pub losses: Losses,
    locations: Interner<Location>,
    names: OwnNames,
    stacks: Interner<StackFrame>,
    binary_ids: FxHashMap<Binary, BinaryId>,
    thread_ids: FxHashMap<Thread, ThreadId>,
}

/// One level of an interned stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct StackFrame {
    location: LocationId,
    caller: Option<StackId>,
}

impl Profile {
    /// Returns the location behind a handle of this profile.
    pub fn location(&self, id: LocationId) -> Location {
        self.locations.items()[id.index()]
    }

    /// Returns the number of distinct locations; handles run from 0 up to this number.
    pub fn location_count(&self) -> usize {
        self.locations.items().len()
    }

    /// Returns the binary behind a handle of this profile.
    pub fn binary(&self, id: BinaryId) -> &Binary {
        &self.binaries[id.index()]
    }

    /// Returns the branch records of one sample, newest first.
    pub fn branches_of(&self, sample: &Sample) -> &[BranchRecord] {
        &self.branches[sample.branches.start as usize..sample.branches.end as usize]
    }

    /// Returns the frames of a stack, leaf first.
    pub fn frames(&self, stack: StackId) -> impl Iterator<Item = LocationId> + '_ {
        let mut next = Some(stack);
        std::iter::from_fn(move || {
            let frame = self.stacks.items()[next?.index()];
            next = frame.caller;
            Some(frame.location)
        })
    }

    /// Passes the frames of a stack, leaf first, as far as they are code, and returns how the stack ends. The second argument is
    /// true for a return address: the call itself is just before.
    ///
    /// A caller in memory without code is no caller, and nothing behind it can be believed: such a stack is broken.
    pub fn each_level(&self, stack: StackId, mut level: impl FnMut(LocationId, bool)) -> StackEnd {
        let mut is_leaf = true;
        let mut below_kernel = false;
        for location in self.frames(stack) {
            let kind = self.binary(self.location(location).binary).kind;
            if kind == BinaryKind::Unmapped && !is_leaf {
                return self.stack_end(location).unwrap_or(StackEnd::Broken);
            }
            let is_kernel = kind == BinaryKind::Kernel;
            // For a thread in the kernel, the first user address is the place where it is, and no return address.
            level(location, !is_leaf && (is_kernel || !below_kernel));
            below_kernel = is_kernel;
            is_leaf = false;
        }
        StackEnd::Root
    }

    /// Returns the handle of a location; a new location is added.
    pub fn intern(&mut self, location: Location) -> LocationId {
        LocationId(self.locations.intern(&location))
    }

    /// Returns the handle of an instruction that the recording does not name; a new location is added.
    pub fn intern_location(&mut self, binary: BinaryId, offset: FileOffset) -> LocationId {
        self.intern(Location::nameless(binary, offset))
    }

    /// Returns the handle of a function that is known by its name alone; a new function is added.
    pub fn intern_named(&mut self, binary: BinaryId, function: &str) -> LocationId {
        let name = self.intern_name(OwnName::function(function), None);
        self.intern(Location::only_named(binary, name))
    }

    /// Returns the handle of a name; a new name is added. `outer` names the function into which this one is inlined.
    pub fn intern_name(&mut self, name: OwnName<'_>, outer: Option<NameId>) -> NameId {
        self.names.intern(name, outer)
    }

    /// Returns the names that the recording itself has for a place: of the function, after the calls inlined there, innermost first.
    pub fn own_names(&self, location: LocationId) -> impl Iterator<Item = OwnName<'_>> {
        self.names.from(self.location(location).name)
    }

    /// Returns the name of a location that is known by its name alone.
    pub fn name(&self, location: LocationId) -> Option<&str> {
        let mut names = self.own_names(location);
        let name = names.next().map(|name| name.function);
        name.filter(|_| !self.location(location).has_address())
    }

    /// Returns the distinct locations.
    pub fn locations(&self) -> &[Location] {
        self.locations.items()
    }

    /// Returns the handle of the stack with `location` on top of `caller`; a new stack is added.
    pub fn intern_frame(&mut self, location: LocationId, caller: Option<StackId>) -> StackId {
        StackId(self.stacks.intern(&StackFrame { location, caller }))
    }

    /// Returns the handle of a binary; a new binary is added.
    pub fn intern_binary(&mut self, binary: Binary) -> BinaryId {
        if let Some(&id) = self.binary_ids.get(&binary) {
            return id;
        }
        let id = BinaryId(self.binaries.len() as u32);
        self.binaries.push(binary.clone());
        self.binary_ids.insert(binary, id);
        id
    }

    /// Returns the handle of a thread; a new thread is added.
    pub fn intern_thread(&mut self, thread: Thread) -> ThreadId {
        if let Some(&id) = self.thread_ids.get(&thread) {
            return id;
        }
        let id = ThreadId(self.threads.len() as u32);
        self.threads.push(thread.clone());
        self.thread_ids.insert(thread, id);
        id
    }

    /// Returns the stack that stands for missing callers: the outermost frame of the stacks with this end. Its location lies in
    /// a binary of kind [`BinaryKind::Unmapped`]. `None` for [`StackEnd::Root`].
    pub fn intern_end(&mut self, end: StackEnd) -> Option<StackId> {
        let binary = self.intern_binary(end.binary()?);
        let location = self.intern_location(binary, FileOffset(0));
        Some(self.intern_frame(location, None))
    }

    /// Returns the end that a frame stands for, if it stands for missing callers.
    pub fn stack_end(&self, frame: LocationId) -> Option<StackEnd> {
        let binary = self.binary(self.location(frame).binary);
        StackEnd::of_name(&binary.path).filter(|_| binary.kind == BinaryKind::Unmapped)
    }

    /// Returns the location of an address without a mapping, in a binary of kind [`BinaryKind::Unmapped`].
    pub fn intern_unmapped(&mut self, address: Avma) -> LocationId {
        let binary = self.intern_binary(Binary {
            path: "[unmapped]".into(),
            build_id: None,
            kind: BinaryKind::Unmapped,
        });
        self.intern_location(binary, FileOffset(address.0))
    }
}
