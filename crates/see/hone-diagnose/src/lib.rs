//! Diagnosis of a recorded program: what is odd, how much it costs and what to do.
//!
//! ```text
//! stacks of named frames --+
//! binaries' facts ---------+--> [Inspected] --> each rule of [ALL] --> findings
//! the machine -------------+
//! the CPU's counters ------+
//! operands in walks -------+
//! ```
//!
//! Sums of a fleet have stacks alone ([`Inspected::of_sums`]): rules that need more are named as not looked at.
//!
//! Constraints that shaped this crate:
//! - The crate is quiet: a rule speaks only if the lower end of its share's 95 % interval is above its threshold, so that a
//!   program with nothing odd gives no finding (`docs/decisions/0015-thresholds-of-findings.md`).
//! - The crate is pure: stacks come from hone-views, binaries as parsed files ([`BinaryFacts::new`]).
//! - A rule is one small file in `rules/`: what it looks for, its threshold with the source, what mending it gains under
//!   which assumption, which levers help, and when it does not apply.
//! - A profile that is not fit to judge gets that one finding and no other.

#![forbid(unsafe_code)]

mod blind_spots;
mod bounds;
mod claims;
mod code;
mod facts;
mod finding;
mod hardware;
mod name;
mod page;
mod patterns;
mod registers;
mod rules;
mod share;
#[cfg(test)]
mod snapshot;
mod subject;
mod sums;
#[cfg(test)]
mod testing;
mod unoptimised;

pub use claims::Point;
pub use code::{CodeInstruction, HotFunction, Loop};
pub use facts::{BinaryFacts, Mark, Role};
pub use finding::{Confidence, Diagnosis, Evidence, Finding, Gain, SourcePlace, Unseen};
pub use hardware::{Counted, Counter, Hardware};
pub use page::page_findings;
pub use rules::{ALL, MetAt, Rule, diagnose};
pub use share::Share;
pub use subject::{Caller, Group, Inspected, Machine, NamedFrame, Where};
pub use sums::{Cores, Need, NotLooked, Sums};
pub use unoptimised::Optimisation;
