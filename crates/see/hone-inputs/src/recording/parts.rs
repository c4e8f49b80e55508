//! Directories that `perf record --threads` writes: `data` has the header and the mappings, `data.0` and so on have the
//! records of one thread of perf each.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_files::advice::Advise;
use hone_files::files::AdviseReading;

/// Name of the file with the header.
const FIRST: &str = "data";

/// Opens the files of a directory, the one with the header first.
pub(super) fn open(directory: &Path) -> Result<Vec<File>> {
    let paths = paths(directory);
    if paths.is_empty() {
        return Err(anyhow!(
            "it is a directory without a file {FIRST}, so not one that perf record --threads makes"
        ))
        .next("name a recording, such as hone.data from hone record");
    }
    let files = paths.iter().map(|path| {
        File::open(path)
            .next_read("copy the directory again, with all its files")
            .with_context(|| path.display().to_string())
    });
    files.collect()
}

/// Returns the paths of the files of a directory, the one with the header first; nothing for other files and directories.
pub(super) fn paths(directory: &Path) -> Vec<PathBuf> {
    let first = directory.join(FIRST);
    if !directory.is_dir() || !first.is_file() {
        return Vec::new();
    }
    let names = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut numbers: Vec<u32> = names
        .filter_map(|entry| {
            let name = entry.file_name();
            let number = name.to_str()?.strip_prefix(FIRST)?.strip_prefix('.')?;
            number.parse().ok()
        })
        .collect();
    numbers.sort_unstable();
    let others = numbers
        .into_iter()
        .map(|number| directory.join(format!("{FIRST}.{number}")));
    std::iter::once(first).chain(others).collect()
}
