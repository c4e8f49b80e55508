//! Servers under load, and pairs that share a CPU.

mod duet;
mod failures;
mod project;
mod servers;
