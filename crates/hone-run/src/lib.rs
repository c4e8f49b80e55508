//! Finds programs, services and tools on this machine, starts them, puts them under load, ends and measures them.
//!
//! | module | content |
//! |---|---|
//! | [`process`] | one command in a fresh process, its whole tree measured |
//! | [`service`] | a server under a load, and its cost for each unit of work |
//! | [`tools`], [`libraries`] | compilers, linkers and allocators that are installed |
//! | [`companions`] | binaries `hone-X` beside hone or in PATH |
//! | [`machine`] | description of the machine for reports |
//! | [`clock`] | the time, as results tell it |
//! | [`files`] | results written whole or not at all, trees copied |
//! | [`advice`] | errors that say what to do next |
#![forbid(unsafe_code)]

pub mod advice;
pub mod clock;
pub mod companions;
pub mod files;
pub mod libraries;
pub mod machine;
pub mod process;
pub mod service;
pub mod tools;
