//! Clocks that are wrong for one process alone (libfaketime).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a command whose clock is the machine's plus what a file says, such as `+3600`; the file may change while it runs. The clock that
/// nobody sets goes on. `None`, with a line, where libfaketime is not installed.
pub fn with_clock(program: &Path, clock: &Path) -> Option<Command> {
    let Some(library) = library() else {
        println!("skipped: libfaketime is not installed");
        return None;
    };
    let mut command = Command::new(program);
    command
        .env("LD_PRELOAD", library)
        .env("FAKETIME_TIMESTAMP_FILE", clock)
        .env("FAKETIME_NO_CACHE", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    Some(command)
}

/// Returns where Debian's package has it.
fn library() -> Option<PathBuf> {
    let machines = fs::read_dir("/usr/lib").ok()?.flatten();
    machines
        .map(|machine| machine.path().join("faketime/libfaketime.so.1"))
        .find(|path| path.exists())
}
