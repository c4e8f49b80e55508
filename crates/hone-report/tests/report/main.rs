//! The four forms of the report, tested on invented but realistic runs.

mod forms;
mod page;
mod sample;
mod sentences;
mod structure;
