//! Programs, services and tools: found on this machine, started, put under load, ended, and measured.
//!
//! | module | what it holds |
//! |---|---|
//! | [`process`] | one command in a fresh process, its whole tree measured |
//! | [`service`] | a server under a load, and its cost for each unit of work |
//! | [`tools`], [`libraries`] | compilers, linkers and allocators that are installed |
//! | [`machine`] | what the machine is, as reports describe it |
//! | [`files`] | results written whole or not at all, trees copied |
//! | [`advice`] | errors that say what to do next |
#![forbid(unsafe_code)]

pub mod advice;
pub mod files;
pub mod libraries;
pub mod machine;
pub mod process;
pub mod service;
pub mod tools;
