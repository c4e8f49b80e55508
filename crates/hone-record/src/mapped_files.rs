//! The files that were mapped executable: their build ids, and whether they hold Go code.
//!
//! Files are read when a mapping is first seen and not at the end: a process in a container takes its view
//! of the file system with it when it ends.

use hone_profile::BuildId;
use object::Object;
use object::read::ReadCache;
use rustc_hash::FxHashMap;
use std::fs::File;

/// Largest number of files that are read: a process that maps more has made them itself.
const FILES_MAX: usize = 10_000;

/// Section of every program that Go has linked since 1.13, also of stripped programs.
const GO_SECTION: &str = ".go.buildinfo";

/// Facts read from a file.
#[derive(Default)]
struct Looked {
    build_id: Option<BuildId>,
    has_go: bool,
}

/// Paths seen, and the facts read from each file.
#[derive(Default)]
pub(crate) struct MappedFiles {
    seen: FxHashMap<String, Looked>,
}

impl MappedFiles {
    /// Reads a mapped path of a process, unless the path is known.
    pub(crate) fn note(&mut self, pid: i32, path: &str) {
        if !path.starts_with('/')
            || path.starts_with("//")
            || self.seen.contains_key(path)
            || self.seen.len() >= FILES_MAX
        {
            return;
        }
        let looked = read(pid, path).unwrap_or_default();
        self.seen.insert(path.to_owned(), looked);
    }

    /// Returns true if a noted path holds Go code.
    pub(crate) fn has_go(&self, path: &str) -> bool {
        self.seen.get(path).is_some_and(|file| file.has_go)
    }

    /// Returns the build ids, sorted by path, in the form that the recording's file needs.
    pub(crate) fn build_ids(&self) -> Vec<(String, BuildId, bool)> {
        let mut list: Vec<_> = self
            .seen
            .iter()
            .filter_map(|(path, file)| Some((path.clone(), file.build_id.clone()?, false)))
            .collect();
        list.sort();
        list
    }
}

fn read(pid: i32, path: &str) -> Option<Looked> {
    let file = open(pid, path)?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let cache = ReadCache::new(file);
    let object = object::File::parse(&cache).ok()?;
    let build_id = object.build_id().ok().flatten();
    Some(Looked {
        build_id: build_id.and_then(BuildId::new),
        has_go: object.section_by_name(GO_SECTION).is_some(),
    })
}

/// Opens the path as the process sees it, since the process may have another root and other mounts; if that fails,
/// opens the path as this process sees it.
pub(crate) fn open(pid: i32, path: &str) -> Option<File> {
    let theirs = format!("/proc/{pid}/root{path}");
    File::open(theirs).or_else(|_| File::open(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_things_than_files_have_neither_build_id_nor_code() {
        let pid = std::process::id() as i32;
        let mut files = MappedFiles::default();
        for path in [
            "[vdso]",
            "//anon",
            "/dev/null",
            "/no/such/file",
            "/proc",
            "",
        ] {
            files.note(pid, path);
            assert!(!files.has_go(path), "{path}");
        }
        assert_eq!(files.build_ids(), []);
    }
}
