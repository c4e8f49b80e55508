//! The agent as a process, while something goes wrong around it: what it accepted is delivered, and what is not is told.

mod agent;
#[path = "../send/server.rs"]
#[allow(
    dead_code,
    reason = "its requests are read here; its answers are not used"
)]
mod answering;
mod back_end;
mod clients;
mod clock;
#[path = "../common/mod.rs"]
mod common;
mod ends;
mod outages;
