//! Parsers of what Linux reports about a host: each format once, for the recorder, the agent and the command alike.
//!
//! The crate opens no file. The texts come from `/proc`, control groups and ELF files. A process may choose any name, so the fields
//! after a name are found from the end of the name, and every length has a limit.
#![forbid(unsafe_code)]

pub mod build_id;
pub mod cgroup;
pub mod container;
pub mod kernel_symbols;
pub mod key_lines;
pub mod process;
pub mod service;
