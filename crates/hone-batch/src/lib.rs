//! Recordings that are added up: what the hosts of a fleet send to the hub, and what the hub answers with.
//!
//! Constraints that shaped this crate:
//! - The crate is pure: the caller records, sends and stores.
//! - Memory grows with distinct stacks, branches and groups, and not with samples.
//! - Nothing leaves a host that need not: no command lines, no environments, no directories.

#![forbid(unsafe_code)]

mod batch;

pub use batch::{
    BUCKET_S, Batch, BinaryIndex, Branches, EventIndex, Frame, FrameIndex, Group, GroupIndex,
    NameIndex, Origin, Place, PlaceIndex, Ranges, Records, Samples,
};
