//! The former file under the name of a recording.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hone_files::files::may_take_name;

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
}
