//! Writes files whole or not at all, copies trees, tells programs from other files, and knows the next step after a failure.

use std::fs::{self, File, FileTimes, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::advice::Advise;

/// Sticky bit: in a directory such as /tmp, only the owner of the file or of the directory may rename or replace a file.
const STICKY: u32 = 0o1000;

/// Writes a file under a temporary name beside it and renames it, so that no half-written file ever
/// has the final name.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = write(path, bytes);
    let step = written.as_ref().err().map(how_to_write).unwrap_or_default();
    written
        .with_context(|| format!("cannot write {}", path.display()))
        .next(step)
}

/// True if the file may be executed.
pub fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Finds the first executable of this name in PATH. An empty entry would mean the current directory, which nobody wants here.
pub fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .find(|file| is_program(file))
}

/// Returns an error, before long work, if its result could not be written to a path.
pub fn must_be_writable(path: &Path) -> Result<()> {
    let is_device = path
        .metadata()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    let tried = match is_device {
        true => Ok(()),
        false => {
            may_take_name(path).and_then(|()| tempfile::tempfile_in(directory_of(path)).map(drop))
        }
    };
    let step = tried.as_ref().err().map(how_to_write).unwrap_or_default();
    tried
        .with_context(|| format!("cannot write {}", path.display()))
        .next(step)
}

/// Checks that a new file may take this name. Finds obstacles that would otherwise show only when the file gets its
/// name, after all the work; does not check that the directory accepts files at all.
///
/// # Errors
/// Fails with the obstacle.
pub fn may_take_name(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(rustix::io::Errno::ISDIR.into()),
        // The new file would take the name, and the device or pipe would be gone.
        Ok(meta) if !meta.is_file() => {
            return Err(io::Error::other("it exists and is not an ordinary file"));
        }
        Ok(_) => {}
        Err(_) => return Ok(()),
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (file, directory) = (fs::symlink_metadata(path)?, fs::metadata(directory)?);
    let own = fs::metadata("/proc/self").map_or(0, |meta| meta.uid());
    let is_sticky = directory.mode() & STICKY != 0;
    match is_sticky && is_others([file.uid(), directory.uid()], own) {
        true => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it belongs to another user, whose files in this directory nobody else may replace",
        )),
        false => Ok(()),
    }
}

/// Returns true if neither the file nor its directory belongs to this user, who is not root.
fn is_others(owners: [u32; 2], own: u32) -> bool {
    own != 0 && !owners.contains(&own)
}

/// Returns the next step if a file cannot be written.
pub fn how_to_write(error: &io::Error) -> &'static str {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => "name a place where you may write",
        Kind::NotFound | Kind::NotADirectory => "make its directory first, or name another place",
        Kind::IsADirectory => "name a file in it",
        Kind::StorageFull | Kind::QuotaExceeded => "free some space there, or name another place",
        _ => "name another place",
    }
}

/// Returns the next step if a file cannot be read: `missing` for a file that does not exist, or what the error asks for.
pub fn how_to_read(error: &io::Error, missing: &str) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "read it as its owner or root, or let its owner allow it: chmod a+r".to_owned()
        }
        io::ErrorKind::IsADirectory => format!("it is a directory; {missing}"),
        _ => missing.to_owned(),
    }
}

/// Adds the next step for a file that could not be read.
pub trait AdviseReading<T> {
    /// Adds the next step; `missing` is the step for a file that does not exist.
    fn next_read(self, missing: &str) -> Result<T>;
}

impl<T> AdviseReading<T> for io::Result<T> {
    fn next_read(self, missing: &str) -> Result<T> {
        let step = self.as_ref().err().map(|error| how_to_read(error, missing));
        self.next(step.unwrap_or_default())
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns the path as text, for tools that take paths as text.
pub fn utf8(path: &Path) -> Result<&str> {
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
    let directory = directory_of(path);
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    make_readable(file.as_file())?;
    file.persist(path)?;
    Ok(())
}

/// Makes a temporary file readable by all: temporary files are private to their owner, but results are not.
fn make_readable(file: &File) -> std::io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o644))
}

/// Copies a whole tree to `destination`, with the times of its files.
pub fn copy_tree(tree: &Path, destination: &Path) -> Result<()> {
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
pub fn copy_entry(from: &Path, to: &Path, metadata: &fs::Metadata) -> Result<()> {
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
    fn advice_on_files_fits_what_is_wrong() {
        let of = |number| io::Error::from_raw_os_error(number);
        assert_eq!(
            how_to_write(&of(28)),
            "free some space there, or name another place"
        );
        assert_eq!(how_to_write(&of(13)), "name a place where you may write");
        assert_eq!(how_to_write(&of(30)), "name a place where you may write");
        assert_eq!(
            how_to_write(&of(2)),
            "make its directory first, or name another place"
        );
        let read = |number| how_to_read(&of(number), "name a recording");
        assert_eq!(read(2), "name a recording");
        assert_eq!(
            read(13),
            "read it as its owner or root, or let its owner allow it: chmod a+r"
        );
        assert_eq!(read(21), "it is a directory; name a recording");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_told_before_the_work() {
        let directory = tempfile::tempdir().unwrap();
        assert!(must_be_writable(&directory.path().join("x")).is_ok());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        assert!(must_be_writable(Path::new("/dev/null")).is_ok());
        for (path, step) in [
            (
                directory.path().join("no/x"),
                "make its directory first, or name another place",
            ),
            (directory.path().to_owned(), "name a file in it"),
        ] {
            let error = must_be_writable(&path).unwrap_err();
            let text = crate::advice::render(&error);
            assert!(text.ends_with(&format!("next: {step}\n")), "{text}");
        }
    }

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

    #[test]
    fn files_of_others_in_sticky_directories_are_theirs() {
        assert!(is_others([1, 0], 2));
        assert!(!is_others([2, 0], 2) && !is_others([1, 2], 2) && !is_others([1, 2], 0));
        let directory = tempfile::tempdir().unwrap();
        assert!(may_take_name(&directory.path().join("new")).is_ok());
        assert!(may_take_name(directory.path()).is_err());
    }
}
