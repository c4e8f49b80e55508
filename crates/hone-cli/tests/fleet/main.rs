//! `hone bench --fleet`: two builds that run side by side.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/real_hub.rs"]
mod real_hub;

mod agents;
mod hub;
