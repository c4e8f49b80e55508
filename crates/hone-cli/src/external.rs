//! `hone X` runs the binary `hone-X` that stands beside hone or in PATH, as git does.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::anyhow;

use crate::advice::Advise;

/// Replaces this process by `hone-X`; returns only if there is none or it cannot start.
pub(crate) fn run(words: &[OsString]) -> anyhow::Result<ExitCode> {
    let Some((name, arguments)) = words.split_first() else {
        return Err(anyhow!("no command given")).next("hone --help");
    };
    let file_name = {
        let mut full = OsString::from("hone-");
        full.push(name);
        full
    };
    let shown = name.to_string_lossy();
    let Some(program) = find(&file_name) else {
        return Err(anyhow!(
            "there is no command '{shown}', and no binary '{}' beside hone or in PATH",
            file_name.to_string_lossy()
        ))
        .next("hone --help lists the commands");
    };
    let error = Command::new(&program).args(arguments).exec();
    Err(anyhow!(error).context(format!("{}: cannot be started", program.display())))
}

fn find(file_name: &OsString) -> Option<PathBuf> {
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
