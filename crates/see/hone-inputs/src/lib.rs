//! Reads the inputs of all commands: recordings, binaries, debug files, wherever they lie.
//!
//! | module | content |
//! |---|---|
//! | [`recording`] | recordings of every kind, read into one form, sample by sample |
//! | [`hub`] | what a hub has of a service, as an input like a recording |
//! | [`elf_files`] | binaries and debug files, each opened and read once for a question |
//! | [`debug_file`] | a binary with its debug information, found where debuggers look |
//! | [`recorded_files`] | files of recorded binaries: those that the user names, those at the recorded paths, debuginfod's |
//! | [`unwinding`], [`vdso`] | callers from copied stacks, by the files of this machine |
#![forbid(unsafe_code)]

pub mod debug_file;
pub mod elf_files;
pub mod hub;
pub mod recorded_files;
pub mod recording;
mod split_dwarf;
pub mod unwinding;
pub mod vdso;
