//! Reads the inputs of all commands: recordings, binaries, debug files, wherever they lie.
//!
//! | module | content |
//! |---|---|
//! | [`recording`] | recordings of every kind, read into one form, sample by sample |
//! | [`debug_file`], [`split_dwarf`] | a binary with its debug information, found where debuggers look |
//! | [`debuginfod`] | the same from debuginfod's servers |
//! | [`given`] | files that the user names in place of recorded ones |
//! | [`unwinding`], [`vdso`] | callers from copied stacks, by the files of this machine |
//! | [`progress`] | a bar on the terminal while large files are read |
//! | [`http`] | settings that all requests over HTTP share |
#![forbid(unsafe_code)]

pub mod debug_file;
pub mod debuginfod;
pub mod given;
pub mod http;
pub mod progress;
pub mod recording;
pub mod split_dwarf;
pub mod unwinding;
pub mod vdso;
