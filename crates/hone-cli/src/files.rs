//! Writing results: to a file whole or not at all, to standard output; and copying trees.

use std::fs::{self, File, FileTimes, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::advice::Advise;

/// Writes a file under a temporary name beside it and renames it, so that no half-written file ever
/// stands under the final name.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes)
        .with_context(|| format!("cannot write {}", path.display()))
        .next("free some space there, or name another place")
}

/// Prints a result as JSON, or in words.
pub(crate) fn print<T: Serialize>(
    result: &T,
    json: bool,
    in_words: impl FnOnce() -> String,
) -> Result<()> {
    let text = if json {
        serde_json::to_string_pretty(result)? + "\n"
    } else {
        in_words()
    };
    to_stdout(text.as_bytes())
}

/// Writes to standard output.
pub(crate) fn to_stdout(bytes: &[u8]) -> Result<()> {
    let written = std::io::stdout().write_all(bytes);
    written.context("standard output")
}

/// The path as text, for tools that take paths in text.
pub(crate) fn utf8(path: &Path) -> Result<&str> {
    match path.to_str() {
        Some(text) => Ok(text),
        None => bail!(
            "{} is not UTF-8; move the project to a path that is",
            path.display()
        ),
    }
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let is_device = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    if is_device {
        return std::fs::write(path, bytes);
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    make_readable(file.as_file())?;
    file.persist(path)?;
    Ok(())
}

/// Temporary files are private to their owner; results are not.
fn make_readable(file: &File) -> std::io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o644))
}

/// Copies a whole tree to `destination`, with the times of its files.
pub(crate) fn copy_tree(tree: &Path, destination: &Path) -> Result<()> {
    fs::create_dir_all(destination).with_context(|| destination.display().to_string())?;
    for entry in fs::read_dir(tree).with_context(|| tree.display().to_string())? {
        let entry = entry?;
        let (from, to) = (entry.path(), destination.join(entry.file_name()));
        let metadata = from.symlink_metadata()?;
        copy_entry(&from, &to, &metadata)?;
        if metadata.is_dir() {
            copy_tree(&from, &to)?;
        }
    }
    Ok(())
}

/// Copies a file, a link or an empty directory, with its time.
pub(crate) fn copy_entry(from: &Path, to: &Path, metadata: &fs::Metadata) -> Result<()> {
    let copy = || -> std::io::Result<()> {
        if metadata.is_dir() {
            fs::create_dir_all(to)
        } else if metadata.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(from)?, to)
        } else if metadata.is_file() {
            fs::copy(from, to)?;
            let times = FileTimes::new().set_modified(metadata.modified()?);
            fs::File::options().read(true).open(to)?.set_times(times)
        } else {
            Ok(())
        }
    };
    copy()
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
        .next("check the free space and the permissions there")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("profile");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let error = write_whole(&directory.path().join("missing/profile"), b"x").unwrap_err();
        assert!(error.to_string().contains("missing/profile"), "{error}");
    }
}
