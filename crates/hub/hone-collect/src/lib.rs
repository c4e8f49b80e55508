//! Continuous profiling of a host: recorded in rounds, added up, kept while the hub is away, sent.
//!
//! Constraints that shaped this crate:
//! - It costs next to nothing: samples are added up on the host, all threads together keep to a share of its CPU time and to so
//!   much memory, and less is recorded where that is exceeded.
//! - It loses nothing that there is room for: a batch stays in the queue until the hub has acknowledged it.
//! - It never gives up: what fails is tried again, with longer and longer pauses.
//! - What leaves the host are names of services, builds, files and threads, and offsets in code: no command lines, no
//!   environments, no directories.

#![forbid(unsafe_code)]

mod branches;
mod choice;
mod collector;
mod containers;
mod figures;
mod identity;
mod options;
mod pace;
mod queue;
mod round;
mod self_usage;
mod send;

pub use collector::collect;
pub use figures::{Event, Figures, Paced, Recorded};
pub use hone_batch::wire::CLOCKS_TOLD_S;
pub use hone_profile::Label;
pub use hone_record::{BranchSource, CallGraph, RecordError};
pub use identity::{RuleOf, ServiceRule};
pub use options::{Branches, Options, Token, run_by_chance};
pub use send::clock_apart;
