//! Build ids of the files that were mapped executable.
//!
//! They are read when a mapping is first seen and not at the end: a process in a container takes its view
//! of the file system with it when it ends.

use hone_profile::BuildId;
use object::Object;
use object::read::ReadCache;
use rustc_hash::FxHashMap;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

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
    let file = File::open(seen_by(pid, path)).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let cache = ReadCache::new(file);
    let object = object::File::parse(&cache).ok()?;
    BuildId::new(object.build_id().ok()??)
}

/// The path as the process itself sees it, where its root differs from ours.
fn seen_by(pid: i32, path: &str) -> PathBuf {
    let root = PathBuf::from(format!("/proc/{pid}/root"));
    let place = |path: &std::path::Path| fs::metadata(path).ok().map(|m| (m.dev(), m.ino()));
    match (place(&root), place("/".as_ref())) {
        (Some(theirs), Some(ours)) if theirs != ours => root.join(path.trim_start_matches('/')),
        _ => PathBuf::from(path),
    }
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
