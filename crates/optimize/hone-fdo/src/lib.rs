//! Turns profiles and symbols into profiles for compilers.
//!
//! ```text
//! samples ──recorded──▶ Tally ──aggregate──▶ Counts ──source, probes──▶ SampleProfile
//!
//! SampleProfile ──autofdo_text, extbinary──▶ clang      ──check──▶ equal to the profile in memory
//!               ──gcov──▶ GCC      ──counters──▶ clang, as counters of instrumented PGO
//! Counts ──bolt_fdata, bolt_preaggregated──▶ BOLT
//!        ──propeller──▶ clang and lld, by blocks
//!        ──order──▶ linkers      ──overview──▶ people      ──indirect──▶ indirect calls, by call site
//!        ──go_pgo──▶ Go's default.pgo (from stacks too)
//!        ──layout──▶ people and findings: hot and cold code, footprint, misses of a cache model
//! walks  ──memops──▶ sizes of memcpy and similar functions, as a table and as headers
//!
//! SampleProfile ──merge, quality, overlap, stale──▶ one of many; fit to use? similar to another? for a newer build
//! ```
//!
//! Constraints that shaped this crate:
//! - The crate is pure: the caller reads and writes the files.
//! - Weight is conserved or accounted for: every step returns the weight that it could not use, and [`check`] reads
//!   the written profile back with separate code and compares.
//! - The compiler matches a profile by exact keys (name, line offset, base discriminator, inline chain).
//!   A key that is slightly wrong is lost silently at compile time, so the keys are made exactly as LLVM 19
//!   makes them; `docs/internals/autofdo.md` describes how.
//!
//! [`convert`] runs the whole chain for one binary; [`convert_probes`] runs the chain with pseudo probes.

#![forbid(unsafe_code)]

mod address_counts;
pub mod aggregate;
pub mod autofdo_text;
mod bolt_blocks;
pub mod bolt_fdata;
mod bolt_names;
pub mod bolt_preaggregated;
pub mod bolt_preaggregated_reader;
pub mod check;
pub mod code;
mod convert;
pub mod counters;
mod counts;
pub mod devirtualise;
pub mod discriminator;
pub mod dispatch;
mod error;
pub mod extbinary;
pub mod gcov;
pub mod go_pgo;
mod halves;
pub mod indirect;
pub mod layout;
pub mod llvm_unsymbolized_reader;
mod location_counts;
pub mod memops;
pub mod merge;
mod observations;
pub mod order;
pub mod overlap;
pub mod overview;
mod probes;
pub mod propeller;
pub mod quality;
mod read;
pub mod same_code;
mod sample_profile;
pub mod shape;
pub mod source;
pub mod stale;
mod summary;
pub mod vectorised;
mod weights;

pub use address_counts::{Counted, count_binary};
pub use aggregate::{Evidence, aggregate, find_binaries};
pub use code::Code;
pub use convert::{Converted, Warning, convert, convert_parsed};
pub use counts::{AggregateReport, BranchCount, Counts};
pub use error::FdoError;
pub use halves::{CountedParts, Halves, Unit};
pub use hone_profile::WALK_EVENT;
pub use location_counts::{Recorded, Tally};
pub use observations::Observations;
pub use probes::{attribute_probes, convert_probes, convert_probes_parsed};
pub use read::{ReadProfile, read_sample_profile};
pub use sample_profile::{Callsite, FunctionSamples, LineKey, LineSamples, SampleProfile};
pub use summary::{ProfileSummary, SummaryEntry};
