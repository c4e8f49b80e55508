//! The binaries `hone-X` that `hone X` runs: Hone's own, and those of others.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Returns the path of a binary that is beside hone or in PATH.
pub fn find(file_name: &OsStr) -> Option<PathBuf> {
    let has_directory = Path::new(file_name).components().count() > 1;
    if has_directory {
        return None;
    }
    let beside = std::env::current_exe()
        .ok()
        .and_then(|hone| hone.parent().map(|directory| directory.join(file_name)));
    let path = std::env::var_os("PATH").unwrap_or_default();
    beside
        .into_iter()
        .chain(std::env::split_paths(&path).map(|directory| directory.join(file_name)))
        .find(|candidate| candidate.is_file())
}

/// Returns how to install or build a binary that belongs to Hone.
pub fn how_to_build(name: &str) -> Option<&'static str> {
    match name {
        "agent" => {
            Some("install hone-agent; in Hone's source: cargo build --release -p hone-agent-cli")
        }
        "hub" => Some("install hone-hub; in Hone's source: cargo build --release -p hone-hub-cli"),
        "mesh" => Some("install hone-mesh; in Hone's source: make mesh"),
        "thrift" => Some("install hone-thrift; in Hone's source: make thrift"),
        "call" => Some("install hone-call; in Hone's source: make call"),
        "load" => Some("install hone-load; in Hone's source: make call"),
        _ => None,
    }
}
