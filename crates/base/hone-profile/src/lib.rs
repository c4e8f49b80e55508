//! Samples, stacks and branch records in memory, and their file formats.
//!
//! Constraints that shaped this crate:
//! - It is pure: bytes in, values out. It opens no file, reads no clock and starts no process, so the
//!   same code serves the command, the tests and the fuzzers.
//! - Recordings come from other machines and may be truncated or hostile: every length is checked
//!   against the bytes that are there, and the limits are in [`limits`].
//! - A profile may hold millions of branch records, so everything is an interned column with a handle
//!   ([`profile`]); nothing is a tree of boxes.
//! - Nothing is dropped silently: what could not be used is counted in [`Losses`].
//!
//! The crate leaves out symbols (hone-symbols) and any judgement of the profile (hone-fdo).

#![forbid(unsafe_code)]

pub mod address;
pub mod address_space;
mod binary_kind;
mod branch_stacks;
pub mod code_names;
mod counted_branches;
pub mod fuzz;
mod interner;
mod kind;
mod labels;
pub mod limits;
mod operands;
mod own_names;
pub mod perf_data;
pub mod perf_script;
pub mod pprof;
pub mod profile;
pub mod protobuf;
mod resources;
mod third_argument;
pub mod viewer;

pub use address::{Avma, BuildId, FileOffset, Svma};
pub use binary_kind::of_user_mapping as kind_of_user_mapping;
pub use branch_stacks::{BranchFilter, BranchStacks};
pub use code_names::CodeMap;
pub use counted_branches::{CountedBranches, PieceEnd, WALK_EVENT};
pub use interner::Interner;
pub use kind::{Compression, KIND_BYTES, Kind, kind_of};
pub use labels::{Label, Labels};
pub use operands::{Jump, MetOperands, Operands, Watched};
pub use own_names::{NameId, OwnName};
pub use profile::{
    Binary, BinaryId, BinaryKind, BranchKind, BranchRecord, Event, EventId, Location, LocationId,
    Losses, Meta, Profile, Sample, StackEnd, StackId, Thread, ThreadId,
};
pub use resources::{Accounted, CpuQuota, CpuTime, MemoryUse, ThreadTime};
pub use third_argument::ThirdArgument;
