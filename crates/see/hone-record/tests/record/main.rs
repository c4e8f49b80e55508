//! Recordings of programs that are compiled here: what they say, and what they must not do to the programs.

mod common;

mod bad_input;
mod brief_threads;
mod made_code;
mod memory;
mod processes;
mod safety;
mod sampling;
mod system;
mod tools;
mod walking;
