//! The agent as a process, while something goes wrong around it: what it accepted is delivered, and what is not is told.

mod agent;
pub(crate) mod back_end;
mod clients;
mod clock;
mod ends;
mod outages;
