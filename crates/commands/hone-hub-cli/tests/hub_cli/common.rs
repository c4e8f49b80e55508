//! What all tests of the command share.

use std::path::Path;
use std::process::{Command, Output};

pub(crate) use testkit::http::{Answer, answer_from, request};
pub(crate) use testkit::{ANY_PORT, Hub, PATIENCE, until};

/// Runs `hone-hub` with arguments until it ends.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hone-hub"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap()
}
