//! Recordings that are added up: what the hosts of a fleet send to the hub, and what the hub answers with.
//!
//! Constraints that shaped this crate:
//! - The crate is pure: the caller records, sends and stores.
//! - Memory grows with distinct stacks, branches and groups, and not with samples.
//! - Nothing leaves a host that need not: no command lines, no environments, no directories, no addresses of processes.
//! - The same samples make the same batch and the same bytes, in whatever order they come.

#![forbid(unsafe_code)]

mod adding;
mod batch;
pub mod fuzz;
mod group_field;
mod limits;
mod merge;
mod order;
mod restore;
mod rows;
mod tables;
pub mod wire;

pub use adding::{Added, Adding, FOLDED, Host, LEFT_OUT, LeftOut, OTHERS, StackLimit, TableLimit};
pub use batch::{
    BUCKET_S, Batch, BinaryIndex, Branches, EventIndex, Frame, FrameIndex, Group, GroupIndex,
    NameIndex, Origin, Place, PlaceIndex, Ranges, Records, Samples, whole_buckets,
};
pub use group_field::GroupField;
pub use limits::{DEPTH_MAX, HOST_BYTES_MAX, LABELS_MAX, Limits, SUM_MAX, TEXT_BYTES_MAX};
pub use merge::Merging;
pub use restore::{Restored, restore};
