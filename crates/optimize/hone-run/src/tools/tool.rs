//! An installed program or library, with its version.

use std::path::PathBuf;

/// An installed program or library.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Tool {
    /// Path of the file.
    pub path: PathBuf,
    /// Version line of a program, or version of a library.
    pub version: String,
    /// Major version.
    pub major: u32,
}

impl Tool {
    /// Describes a library. Its version is the part after `.so.` in the name of the file that the links end at.
    pub fn of_library(path: PathBuf) -> Self {
        let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let name = real.file_name().unwrap_or_default().to_string_lossy();
        let version = name
            .split_once(".so.")
            .map_or("", |(_, version)| version)
            .to_owned();
        let major = version
            .split('.')
            .next()
            .and_then(|major| major.parse().ok())
            .unwrap_or(0);
        Self {
            path,
            version,
            major,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_has_the_version_of_the_file_that_links_end_at() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::write(at("libmimalloc.so.2.1"), "").unwrap();
        std::os::unix::fs::symlink("libmimalloc.so.2.1", at("libmimalloc.so")).unwrap();
        let library = Tool::of_library(at("libmimalloc.so"));
        assert_eq!((library.version.as_str(), library.major), ("2.1", 2));
        assert_eq!(library.path, at("libmimalloc.so"));
    }
}
