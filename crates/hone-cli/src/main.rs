//! The `hone` command.
#![forbid(unsafe_code)]
fn main() {}
