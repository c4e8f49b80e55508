//! Finds programs, services and tools on this machine, starts them, puts them under load, ends and measures them.
//!
//! | module | content |
//! |---|---|
//! | [`process`] | one command in a fresh process, its whole tree measured |
//! | [`service`] | a server under a load, and its cost for each unit of work |
//! | [`tools`] | compilers, linkers and allocators that are installed |
//! | [`machine`] | description of the machine for reports |
//! | [`clock`] | the time, as results tell it |
#![forbid(unsafe_code)]

pub mod clock;
pub mod machine;
pub mod process;
pub mod service;
pub mod tools;
