//! Python with the packages that these tests hold the store against; `scripts/hub-peers` installs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns a Python that has the module; prints that the test is skipped if there is none.
pub(crate) fn python_with(module: &str) -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/hub-peers/bin/python3");
    let found = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    println!("skipped: Python has no module {module} here; scripts/hub-peers installs it");
    None
}
