//! The agent as a process, while something goes wrong around it: what it accepted is delivered, and what is not is told.

mod agent;
mod back_end;
mod clients;
mod clock;
#[path = "../common/mod.rs"]
mod common;
mod ends;
mod outages;
