//! `hone optimize` and `hone wrap` with real compilers, on programs of every kind. One program of tests: they share two
//! CPUs better than each by itself.

mod as_the_user;
mod bazel;
mod build_systems;
mod ci_job;
mod continued;
mod counters;
mod dependency;
mod devirtualise;
mod gcc;
mod hazards;
mod ladder;
mod languages;
mod objects;
mod own_libraries;
mod propeller;
mod run_time;
mod search;
mod static_links;
mod supplemented;
mod vectorisation;
mod wrapped;
