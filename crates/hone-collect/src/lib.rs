//! Continuous profiling of a host: recorded in rounds, added up, kept while the hub is away, sent.
//!
//! Constraints that shaped this crate:
//! - It costs next to nothing: samples are added up on the host, and the recorder keeps to its share of the CPU time.
//! - It loses nothing that there is room for: a batch stays in the queue until the hub has acknowledged it.
//! - What leaves the host are names of services, builds, files and threads, and offsets in code: no command lines, no
//!   environments, no directories.

#![forbid(unsafe_code)]

mod collector;
mod identity;
mod options;
mod queue;
mod round;
mod send;

pub use collector::{Event, collect};
pub use identity::{RuleOf, ServiceRule};
pub use options::Options;
