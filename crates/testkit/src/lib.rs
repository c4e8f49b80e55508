//! What tests of several crates share: waiting, tools, servers, made programs. A dependency of tests alone.
//!
//! A tool or server that is not installed is a visible line (`skipped: ...`) and no failure, as STYLE.md has it.

#![forbid(unsafe_code)]

pub mod answering;
mod artifacts;
mod batch_server;
pub mod browser;
mod canned_server;
mod certificate;
mod chance;
mod clock;
pub mod documents;
pub mod fleet;
pub mod http;
mod hub;
pub mod made_elf;
mod metrics;
mod peers;
mod process;
mod programs;
pub mod recipes;
pub mod recording;
pub mod remote_write;
pub mod screenshots;
mod server;
mod tools;
pub mod view_page;
mod wait;

pub use arbtest::arbitrary;
pub use artifacts::{Alone, Made};
pub use batch_server::{Got, Receiver, Spinner};
pub use canned_server::{Answer, Canned};
pub use certificate::certificate;
pub use chance::{by_chance, by_chance_of};
pub use clock::with_clock;
pub use hub::{ANY_PORT, Hub};
pub use metrics::{prometheus, promtool, victoria_metrics};
pub use peers::{BucketServer, python_with};
pub use process::{Process, built};
pub use programs::{DEFERRED_CALLS, compiled, copy_program, fixture, recorded};
pub use server::{Server, get};
pub use tools::{c_compiler, go, has_tools, is_in_path, run_in};
pub use wait::{PATIENCE, is_long, until, until_true};
