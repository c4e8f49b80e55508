//! The `hone` command, run as users run it.

mod common;

mod bench;
mod doctor;
mod documents;
mod fleet;
mod merge_memory;
mod optimize;
mod packaging;
mod recordings;
mod service;
mod system_wide;
mod tidy;
mod view_page;
