//! ELF and DWARF: the function, the inlined calls and the source line at an address of a binary.
//!
//! Constraints that shaped this crate:
//! - It is pure: it takes the bytes of a file and opens none itself, so the caller decides where a binary
//!   or its separate debug file comes from.
//! - Addresses are [`Svma`](hone_profile::Svma)s, the file's own view. [`Binary`] turns the file offsets of
//!   a recording into addresses through the program headers, so that position-independent
//!   and fixed binaries, and any layout of segments, need no special case.
//! - AutoFDO needs more of DWARF than a profiler does: discriminators of the line rows and of the inlined
//!   calls, linkage names, and the line on which a function starts ([`SourceFrame`]).
//! - Debug info may be large: a compilation unit is read when the first address in it is asked for. If a unit is in a
//!   file of its own (`.dwo`, `.dwp`), the caller opens that file ([`SplitFiles`]).
//!
//! The crate leaves out instructions (hone-fdo decodes them), DWZ supplementary files, and anything that is not x86-64.

#![forbid(unsafe_code)]

mod binary;
mod block_map;
mod bodies;
mod contents;
mod debug_link;
mod demangle;
mod dwarf;
mod error;
mod folded;
mod functions;
mod go_table;
mod image;
mod imports;
mod input;
mod labels;
mod plt;
mod probes;
mod ranges;
mod split_files;
mod vtables;
mod words;

pub use binary::{Binary, BinaryType, Section, Segment};
pub use block_map::{BlockMap, MappedBlock, MappedFunction};
pub use bodies::{MadeNames, section_of_made_name};
pub use contents::{Contents, contents_of};
pub use debug_link::{DebugLink, build_id_of};
pub use demangle::demangle;
pub use dwarf::{DebugInfo, SourceFrame, UnreadUnits};
pub use error::SymbolError;
pub use folded::folded;
pub use functions::{Function, Functions, canonical_name};
pub use image::Image;
pub use imports::{imported_symbols, needed_libraries};
pub use labels::labels;
pub use plt::{Plt, PltEntry};
pub use probes::{Probe, ProbeFrame, ProbeKind, ProbeLosses, ProbedFunction, Probes, guid};
pub use ranges::needed_ranges;
pub use split_files::{ReadSeek, SplitFiles, SplitLosses, SplitName, is_package};
pub use vtables::VirtualFunctions;
