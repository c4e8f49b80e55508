//! The former file under the name of a recording.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Sticky bit: in a directory such as /tmp, only the owner of the file or of the directory may rename or replace a file.
const STICKY: u32 = 0o1000;

/// Checks that a new file may take this name. Finds obstacles that would otherwise show only when the file gets its
/// name, after all the work; does not check that the directory accepts files at all.
///
/// # Errors
/// Fails with the obstacle.
pub fn may_take_name(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(io::Error::from_raw_os_error(libc::EISDIR)),
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

/// Returns the file that a name leads to: a link stays, and the file that the link points to is written.
///
/// # Errors
/// Fails if the link leads nowhere.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => fs::canonicalize(path)
            .map_err(|error| io::Error::new(error.kind(), "it is a link that leads to no file")),
        _ => Ok(path.to_owned()),
    }
}

/// Checks that a finished recording can take this name, and that the existing file can take the name of the former file,
/// as far as that can be known beforehand.
///
/// # Errors
/// Fails with the obstacle.
pub(crate) fn may_take_names(path: &Path, keeps_former: bool) -> io::Result<()> {
    may_take_name(path)?;
    let old = former(path);
    if !keeps_former || !path.exists() {
        return Ok(());
    }
    may_take_name(&old).map_err(|error| {
        let why = format!("what is there would become {}: {error}", old.display());
        io::Error::new(error.kind(), why)
    })
}

/// Returns the path that the former file of a name gets.
fn former(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".old");
    name.into()
}

/// Gives the finished file its name; an existing file of that name becomes FILE.old if `keeps_former`.
pub(crate) fn give_name(finished: &Path, path: &Path, keeps_former: bool) -> io::Result<()> {
    if !keeps_former || fs::symlink_metadata(path).is_err() {
        return fs::rename(finished, path);
    }
    let old = former(path);
    fs::rename(path, &old)?;
    fs::rename(finished, path).inspect_err(|_| {
        let _ = fs::rename(&old, path);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_former_file_is_kept_where_it_is_wanted() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let finish = |text: &str, keeps: bool| {
            fs::write(at("new"), text).unwrap();
            give_name(&at("new"), &at("x.data"), keeps).unwrap();
        };
        let read = |name: &str| fs::read_to_string(at(name)).ok();
        finish("1", true);
        assert_eq!(
            (read("x.data"), read("x.data.old")),
            (Some("1".into()), None)
        );
        finish("2", true);
        assert_eq!(
            (read("x.data"), read("x.data.old")),
            (Some("2".into()), Some("1".into()))
        );
        finish("3", false);
        assert_eq!(
            (read("x.data"), read("x.data.old")),
            (Some("3".into()), Some("1".into()))
        );
        // If the new file cannot be put in its place, everything stays as it was.
        assert!(give_name(&at("missing"), &at("x.data"), true).is_err());
        assert_eq!(read("x.data"), Some("3".into()));
    }

    #[test]
    fn what_would_be_in_the_way_at_the_end_is_told_at_the_beginning() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("x.data.old")).unwrap();
        assert!(may_take_names(&at("x.data"), true).is_ok());
        fs::write(at("x.data"), "1").unwrap();
        assert!(may_take_names(&at("x.data"), false).is_ok());
        let error = may_take_names(&at("x.data"), true).unwrap_err();
        assert!(error.to_string().contains("x.data.old: "), "{error}");
    }

    #[test]
    fn links_keep_their_place() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at("far"), "1").unwrap();
        std::os::unix::fs::symlink(at("far"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("broken")).unwrap();
        let far = fs::canonicalize(at("far")).unwrap();
        assert_eq!(followed(&at("link")).unwrap(), far);
        assert_eq!(followed(&at("new")).unwrap(), at("new"));
        assert!(followed(&at("broken")).is_err());
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
