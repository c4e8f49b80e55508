//! Programs that tests start.

use std::path::{Path, PathBuf};
use std::process::Command;

/// True if a program is in PATH.
pub fn is_in_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(name).is_file())
}

/// True if all these programs are in PATH; says which is not.
pub fn has_tools(names: &[&str]) -> bool {
    let missing = names.iter().find(|name| !is_in_path(name));
    if let Some(missing) = missing {
        println!("skipped: {missing} is not installed");
    }
    missing.is_none()
}

/// The compiler of test programs in C: clang, or what there is.
pub fn c_compiler() -> &'static str {
    if is_in_path("clang-19") {
        "clang-19"
    } else {
        "cc"
    }
}

/// Go's command, where it is installed.
pub fn go() -> Option<PathBuf> {
    let mut places = ["go", "/usr/local/go/bin/go"].into_iter();
    let found = places.find(|place| Command::new(place).arg("version").output().is_ok());
    if found.is_none() {
        println!("skipped: go is not installed");
    }
    found.map(PathBuf::from)
}

/// Runs a tool in a directory.
///
/// # Panics
///
/// If the tool fails.
#[track_caller]
pub fn run_in(directory: &Path, program: &str, arguments: &[&str]) {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .status();
    let status = status.unwrap_or_else(|error| panic!("{program} does not start: {error}"));
    assert!(status.success(), "{program} {arguments:?}: {status}");
}
