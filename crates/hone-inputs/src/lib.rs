//! What a question about a program is asked of: recordings, binaries, debug files, wherever they lie.
//!
//! | module | what it holds |
//! |---|---|
//! | [`recording`] | recordings of every kind, read into one form, sample by sample |
//! | [`debug_file`], [`split_dwarf`] | a binary with its debug information, found where debuggers look |
//! | [`debuginfod`] | the same from debuginfod's servers |
//! | [`given`] | files that the user names in place of recorded ones |
//! | [`unwinding`], [`vdso`] | callers from copied stacks, by the files of this machine |
//! | [`progress`] | a bar on the terminal while large files are read |
//! | [`http`] | what all requests over HTTP have in common |
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
