//! Build ids of the files that were mapped executable.
//!
//! They are read when a mapping is first seen and not at the end: a process in a container takes its view
//! of the file system with it when it ends.

use hone_profile::BuildId;
use object::Object;
use object::read::ReadCache;
use rustc_hash::FxHashMap;
use std::fs::File;

/// Files beyond this number are not looked at: a process that maps so many has made them itself.
const FILES_MAX: usize = 10_000;

/// Paths seen and the build ids found.
#[derive(Default)]
pub(crate) struct BuildIds {
    seen: FxHashMap<String, Option<BuildId>>,
}

impl BuildIds {
    /// Looks at a mapped path of a process, unless it is known.
    pub(crate) fn note(&mut self, pid: i32, path: &str) {
        if !path.starts_with('/')
            || path.starts_with("//")
            || self.seen.contains_key(path)
            || self.seen.len() >= FILES_MAX
        {
            return;
        }
        self.seen.insert(path.to_owned(), read(pid, path));
    }

    /// What was found, sorted by path, in the form the file wants.
    pub(crate) fn list(&self) -> Vec<(String, BuildId, bool)> {
        let mut list: Vec<_> = self
            .seen
            .iter()
            .filter_map(|(path, id)| Some((path.clone(), id.clone()?, false)))
            .collect();
        list.sort();
        list
    }
}

fn read(pid: i32, path: &str) -> Option<BuildId> {
    let file = open(pid, path)?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let cache = ReadCache::new(file);
    let object = object::File::parse(&cache).ok()?;
    BuildId::new(object.build_id().ok()??)
}

/// Opens the path as the process sees it, which may have another root and other mounts; if it is gone, as
/// we do.
pub(crate) fn open(pid: i32, path: &str) -> Option<File> {
    let theirs = format!("/proc/{pid}/root{path}");
    File::open(theirs).or_else(|_| File::open(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_things_than_files_have_no_build_id() {
        let pid = std::process::id() as i32;
        let mut ids = BuildIds::default();
        for path in [
            "[vdso]",
            "//anon",
            "/dev/null",
            "/no/such/file",
            "/proc",
            "",
        ] {
            ids.note(pid, path);
        }
        assert_eq!(ids.list(), []);
    }
}
