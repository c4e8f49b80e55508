//! `hone optimize` and `hone wrap` with real compilers, on programs of every kind. One program of tests: they share two
//! CPUs better than each by itself.

#[path = "../common/mod.rs"]
mod common;

mod bazel;
mod build_systems;
mod compiler;
mod continued;
mod counters;
mod dependency;
mod devirtualise;
mod hazards;
mod ladder;
mod languages;
mod musl;
mod objects;
mod own_libraries;
mod previous;
mod propeller;
mod run_time;
mod search;
mod supplemented;
mod vectorisation;
