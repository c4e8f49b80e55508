//! Servers under load, and pairs that share a CPU.

#[path = "../common/mod.rs"]
mod common;

mod duet;
mod failures;
mod project;
mod servers;
