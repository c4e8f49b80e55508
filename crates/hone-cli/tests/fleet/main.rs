//! `hone bench --fleet`: two builds that run side by side.

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod hub;
