//! Profile and symbols in, compiler profiles out.
//!
//! ```text
//! Profile ──aggregate──▶ Counts ──source──▶ SampleProfile ──autofdo_text, extbinary──▶ bytes ──check
//!                          ├──probes──▶ the same, keyed by pseudo probes
//!                          ├──bolt_preaggregated──▶ text for llvm-bolt
//!                          └──indirect──▶ indirect calls executed, by call site
//! ```
//!
//! Constraints that shaped this crate:
//! - It is pure: the caller reads and writes the files.
//! - Weight is conserved or accounted for: every step returns what it could not use, and [`check`] reads
//!   the written profile back with code of its own and compares.
//! - The compiler matches a profile by exact keys (name, line offset, base discriminator, inline chain).
//!   One key that is slightly off is lost silently at compile time, so the keys are made exactly as LLVM 19
//!   makes them; `docs/internals/autofdo.md` says how.
//!
//! [`convert`] runs the whole chain for one binary; [`convert_probes`] does so by pseudo probes.

#![forbid(unsafe_code)]

pub mod aggregate;
pub mod autofdo_text;
pub mod bolt_preaggregated;
pub mod check;
pub mod code;
mod convert;
mod counts;
pub mod discriminator;
mod error;
pub mod extbinary;
pub mod indirect;
mod probes;
mod recorded;
mod sample_profile;
pub mod source;
mod summary;
mod weights;

pub use aggregate::{Evidence, aggregate, find_binaries};
pub use code::Code;
pub use convert::{Converted, Warning, convert};
pub use counts::{AggregateReport, BranchCount, Counts};
pub use error::FdoError;
pub use probes::{attribute_probes, convert_probes};
pub use recorded::{Recorded, Tally, WALK_EVENT};
pub use sample_profile::{Callsite, FunctionSamples, LineKey, LineSamples, SampleProfile};
pub use summary::{ProfileSummary, SummaryEntry};
