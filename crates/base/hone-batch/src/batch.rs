//! A recording that is added up: what the hosts of a fleet send, and what the hub answers with.
//!
//! Tables refer to each other by index, as in [`hone_profile::Profile`]. In contrast to a profile no row is of one sample:
//! a row counts all samples that are equal in everything that the batch tells of them.

use std::ops::Range;

use hone_profile::{Binary, Event, Labels};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// Index into [`Batch::events`].
    EventIndex
}
index! {
    /// Index into [`Batch::binaries`].
    BinaryIndex
}
index! {
    /// Index into [`Batch::names`].
    NameIndex
}
index! {
    /// Index into [`Batch::places`].
    PlaceIndex
}
index! {
    /// Index into [`Batch::frames`].
    FrameIndex
}
index! {
    /// Index into [`Batch::groups`].
    GroupIndex
}

/// Seconds of the buckets of time in which samples are counted.
pub const BUCKET_S: u64 = 60;

/// Returns the whole buckets that a time lies in, all in seconds since 1970; `None` for times that no bucket ends after.
pub fn whole_buckets(span_s: &Range<u64>) -> Option<Range<u64>> {
    let end_s = span_s.end.checked_next_multiple_of(BUCKET_S)?;
    Some(span_s.start / BUCKET_S * BUCKET_S..end_s)
}

/// A recording that is added up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Batch {
    /// Sender of the batch; the default for answers, which have many.
    pub origin: Origin,
    /// Time that was recorded, in seconds since 1970 (UTC).
    pub span_s: Range<u64>,
    /// Events that were sampled.
    pub events: Vec<Event>,
    /// Files in which samples fell. The path is the last part of the recorded one: directories stay on the host.
    pub binaries: Vec<Binary>,
    /// Names of code that only the sender can name: functions of its kernel, code that is made at run time, and everything from
    /// profilers that name functions themselves.
    pub names: Vec<String>,
    /// Places in code, distinct.
    pub places: Vec<Place>,
    /// Stacks as a tree: a frame comes after its caller.
    pub frames: Vec<Frame>,
    /// What samples are told apart by beside their stack.
    pub groups: Vec<Group>,
    /// Counts of samples.
    pub samples: Vec<Samples>,
    /// Counts of taken branches.
    pub branches: Vec<Branches>,
    /// Counts of code that ran from a branch's target through the next branch.
    pub ranges: Vec<Ranges>,
    /// Numbers of samples with branch records, from which the quality of a profile is judged.
    pub records: Vec<Records>,
}

impl Batch {
    /// Returns the same without callers: the stack of each sample is the instruction that ran.
    pub fn leaves(&self) -> Self {
        let at = |place: PlaceIndex| FrameIndex(place.0);
        let frames = (0..).zip(&self.places).map(|(place, _)| Frame {
            place: PlaceIndex(place),
            caller: None,
        });
        let samples = self.samples.iter().map(|row| Samples {
            stack: at(row.ip.unwrap_or(self.frames[row.stack.index()].place)),
            ip: None,
            is_leaf_only: true,
            ..*row
        });
        Self {
            origin: self.origin.clone(),
            span_s: self.span_s.clone(),
            events: self.events.clone(),
            binaries: self.binaries.clone(),
            names: self.names.clone(),
            places: self.places.clone(),
            frames: frames.collect(),
            groups: self.groups.clone(),
            samples: samples.collect(),
            branches: self.branches.clone(),
            ranges: self.ranges.clone(),
            records: self.records.clone(),
        }
    }
}

/// Sender of a batch. Batches with the same sender and number are copies of each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Origin {
    /// Name of the host.
    pub host: String,
    /// Id of the sender's run, different after each start: numbers begin anew with it.
    pub run: u128,
    /// Number of the batch in the run.
    pub number: u64,
}

/// A place in code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// An instruction of a file, by its file offset.
    Code {
        /// The file.
        binary: BinaryIndex,
        /// Offset of the instruction in the file. 0 in the kernel and in memory without a file: their addresses mean nothing on
        /// another machine, and stay on the host.
        offset: u64,
    },
    /// A function that the sender has named.
    Named {
        /// The kernel, or the file or memory that holds the function.
        binary: BinaryIndex,
        /// The function.
        name: NameIndex,
    },
}

/// A level of a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Frame {
    /// The place; for a caller, where its callee returns to.
    pub place: PlaceIndex,
    /// The caller; `None` for the outermost frame.
    pub caller: Option<FrameIndex>,
}

/// What samples are told apart by beside their stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Group {
    /// Host; empty for the batch's own sender.
    pub host: String,
    /// Service that the process belongs to; empty if nobody has named it.
    pub service: String,
    /// Id of the container; empty outside of containers.
    pub container: String,
    /// Build id of the program's main file in hexadecimal; empty if it has none.
    pub build: String,
    /// Name of the thread.
    pub thread: String,
    /// Labels that the program gave to the thread.
    pub labels: Labels,
}

/// Count of equal samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Samples {
    /// Event that fired.
    pub event: EventIndex,
    /// Group of the samples.
    pub group: GroupIndex,
    /// Innermost frame.
    pub stack: FrameIndex,
    /// Instruction that ran, if it is not the innermost frame: the stack was recorded without the kernel's frames, or folded.
    pub ip: Option<PlaceIndex>,
    /// True if the stack is the sampled instruction alone, since no callers were recorded.
    pub is_leaf_only: bool,
    /// True if the samples came with branch records, which are counted in [`Batch::branches`] and [`Batch::ranges`] unless the
    /// event's branch stacks are partial.
    pub has_branches: bool,
    /// Bucket of time: seconds since 1970 divided by [`BUCKET_S`].
    pub bucket: u64,
    /// Number of samples.
    pub times: u64,
    /// Number of events that the samples represent: nanoseconds for `cpu-clock`.
    pub weight: u64,
}

/// Count of one taken branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branches {
    /// Group of the thread that took the branch.
    pub group: GroupIndex,
    /// The branch instruction.
    pub from: PlaceIndex,
    /// The instruction that the branch went to.
    pub to: PlaceIndex,
    /// Number of times that the branch was taken.
    pub taken: u64,
    /// Number of times that the CPU had predicted otherwise, if that was recorded.
    pub mispredicted: u64,
}

/// Count of code that ran from a branch's target through the next branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranges {
    /// Group of the thread that ran the code.
    pub group: GroupIndex,
    /// First instruction.
    pub first: PlaceIndex,
    /// Last instruction, which is a branch.
    pub last: PlaceIndex,
    /// Number of times that the code ran.
    pub times: u64,
}

/// Number of samples with branch records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Records {
    /// Event of the samples.
    pub event: EventIndex,
    /// Group of the samples.
    pub group: GroupIndex,
    /// Number of samples.
    pub samples: u64,
    /// Number of their branch records, without those that pieces of a walk repeat.
    pub branches: u64,
    /// Number of records that pieces of a walk repeat.
    pub repeated: u64,
}
