//! What Linux says of a host, parsed: each format once, for the recorder, the agent and the command alike.
//!
//! Nothing here opens a file. The texts come from `/proc`, control groups and ELF files; whoever reads them may not be trusted
//! with their names, so that fields behind a name are found from its end, and every length has a limit.
#![forbid(unsafe_code)]

pub mod build_id;
pub mod cgroup;
pub mod keyed;
pub mod process;
