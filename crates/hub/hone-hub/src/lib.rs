//! The hub of a fleet: keeps what hosts send, and answers questions about it.
//!
//! Constraints that shaped this crate:
//! - What was acknowledged is never lost, and nothing is counted twice, whatever fails at whichever moment
//!   ([0057](../../../../docs/decisions/0057-the-hub-keeps-sums.md)).
//! - One folder, or a bucket of object storage with the same files: no second database, no consensus.
//! - The files of hours and days are Parquet in Delta tables, which other engines read as they are.

#![forbid(unsafe_code)]

pub mod check;
pub mod other_tools;
pub mod pgo;
pub mod pyroscope;
pub mod question;
pub mod regressions;
pub mod search;
pub mod series;
pub mod store;
pub mod symbols;
pub mod tokens;
pub mod view;
