//! Reads the inputs of all commands: recordings, binaries, debug files, wherever they lie.
//!
//! | module | content |
//! |---|---|
//! | [`recording`] | recordings of every kind, read into one form, sample by sample |
//! | [`hub`] | what a hub has of a service, as an input like a recording |
//! | [`elf_files`] | binaries and debug files, each opened and read once for a question |
//! | [`debug_file`] | a binary with its debug information, found where debuggers look |
//! | [`debuginfod`] | the same from debuginfod's servers |
//! | [`recorded_files`] | files of recorded binaries: those that the user names, those at the recorded paths, debuginfod's |
//! | [`unwinding`], [`vdso`] | callers from copied stacks, by the files of this machine |
//! | [`progress`] | a bar on the terminal while large files are read |
//! | [`http`] | settings that all requests over HTTP share |
#![forbid(unsafe_code)]

pub mod debug_file;
pub mod debuginfod;
pub mod elf_files;
pub mod http;
pub mod hub;
pub mod progress;
pub mod recorded_files;
pub mod recording;
mod split_dwarf;
pub mod unwinding;
pub mod vdso;
