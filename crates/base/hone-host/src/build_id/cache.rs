//! Build ids of executables, each read once.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

/// Limit on remembered builds; if there are more executables, all are forgotten and read again.
const BUILDS_MAX: usize = 4096;

/// Device, inode, modification time (seconds and nanoseconds) and size of a file. They differ between files, and change
/// when a file is written anew.
type FileKey = (u64, u64, i64, i64, u64);

/// Builds of executables by file.
#[derive(Debug, Default)]
pub struct KnownBuilds(HashMap<FileKey, Arc<str>>);

impl KnownBuilds {
    /// Returns the build of the file with this metadata: what `read` gave when the file was first seen. If `read` gives `None`,
    /// nothing is remembered.
    pub fn of(
        &mut self,
        file: &Metadata,
        read: impl FnOnce() -> Option<Arc<str>>,
    ) -> Option<Arc<str>> {
        let key = (
            file.dev(),
            file.ino(),
            file.mtime(),
            file.mtime_nsec(),
            file.size(),
        );
        if let Some(known) = self.0.get(&key) {
            return Some(Arc::clone(known));
        }
        let build = read()?;
        if self.0.len() >= BUILDS_MAX {
            self.0.clear();
        }
        self.0.insert(key, Arc::clone(&build));
        Some(build)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_once_and_again_only_if_it_could_not_be() {
        let file = std::fs::metadata(std::env::current_exe().unwrap()).unwrap();
        let mut builds = KnownBuilds::default();
        assert_eq!(builds.of(&file, || None), None);
        assert_eq!(
            builds.of(&file, || Some("ab".into())).as_deref(),
            Some("ab")
        );
        assert_eq!(builds.of(&file, || unreachable!()).as_deref(), Some("ab"));
    }
}
