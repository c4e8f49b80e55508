//! The four forms of the report, tested on invented but realistic runs.

mod accessible;
mod forms;
mod page;
mod sample;
mod screenshots;
mod sentences;
mod structure;
