//! The files that were mapped executable: their build ids, and whether they hold Go code.
//!
//! Files are read when a mapping is first seen and not at the end: a process in a container takes its view
//! of the file system with it when it ends.
//!
//! A file may be deleted or replaced while processes run it, as deployments and package managers do. The kernel still has
//! it: under the mapping itself, for whoever is root, and under `exe`.

use crate::procfs::Mapping;
use hone_profile::BuildId;
use object::Object;
use object::read::ReadCache;
use rustc_hash::FxHashMap;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

/// Largest number of files that are read: a process that maps more has made them itself.
const FILES_MAX: usize = 10_000;

/// Words that the kernel adds to the path of a file that has lost its name.
const DELETED: &str = " (deleted)";

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
    /// Reads a mapped file of a process, unless its path is known.
    pub(crate) fn note(&mut self, pid: i32, mapping: &Mapping) {
        let path = mapping.path.as_str();
        if !path.starts_with('/')
            || path.starts_with("//")
            || self.seen.contains_key(path)
            || self.seen.len() >= FILES_MAX
        {
            return;
        }
        let looked = read(pid, mapping).unwrap_or_default();
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

fn read(pid: i32, mapping: &Mapping) -> Option<Looked> {
    let file = open(pid, mapping)?;
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

/// Opens the file that a process has mapped: the path as the process sees it, since the process may have another root and
/// other mounts, or as this process sees it. If another file lies there now, or none, opens the file that has lost its name.
pub(crate) fn open(pid: i32, mapping: &Mapping) -> Option<File> {
    let path = mapping.path.as_str();
    let named = open_now(&format!("/proc/{pid}/root{path}")).or_else(|| open_now(path));
    match named {
        Some(file) if is_mapped(&file, mapping) => Some(file),
        // The numbers of some file systems differ from those of their mappings: a file of that name is better than none.
        named => nameless(pid, mapping).or(named),
    }
}

/// Opens a file for reading, and does not wait for a pipe that lies there now.
fn open_now(path: &str) -> Option<File> {
    let mut options = OpenOptions::new();
    let options = options.read(true).custom_flags(libc::O_NONBLOCK);
    options.open(path).ok()
}

/// Returns true if the mapping tells no other number for its file than the file itself does.
fn is_mapped(file: &File, mapping: &Mapping) -> bool {
    let (_, _, number) = mapping.device;
    number == 0 || file.metadata().is_ok_and(|file| file.ino() == number)
}

/// Opens a mapped file that has no name any more, or another than it had.
fn nameless(pid: i32, mapping: &Mapping) -> Option<File> {
    let Mapping { start, end, .. } = mapping;
    if let Some(file) = open_now(&format!("/proc/{pid}/map_files/{start:x}-{end:x}")) {
        return is_mapped(&file, mapping).then_some(file);
    }
    let program = format!("/proc/{pid}/exe");
    let path = fs::read_link(&program).ok()?;
    let without = |path: &str| path.strip_suffix(DELETED).unwrap_or(path).to_owned();
    let is_program = without(&path.to_string_lossy()) == without(&mapping.path);
    let file = open_now(&program).filter(|_| is_program)?;
    is_mapped(&file, mapping).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procfs;
    use std::io::{Read, Write};
    use std::process::{Child, Command, Stdio};

    fn of_path(path: &str) -> Mapping {
        Mapping {
            start: 0x1000,
            end: 0x2000,
            file_offset: 0,
            protection: libc::PROT_EXEC as u32,
            flags: libc::MAP_PRIVATE as u32,
            device: (0, 0, 0),
            path: path.to_owned(),
        }
    }

    /// A program that waits for its standard input, and ends with the test.
    struct Waiting(Child);

    impl Drop for Waiting {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    impl Waiting {
        /// Starts a program that repeats its input, and waits until it does: before, it may not have mapped its code.
        fn start(program: &std::path::Path) -> Self {
            let mut command = Command::new(program);
            let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
            let mut answer = [0];
            let stdout = child.stdout.as_mut().unwrap();
            stdout.read_exact(&mut answer).unwrap();
            Self(child)
        }

        /// Returns the mapping of the program's code, as the kernel names it now.
        fn code(&self, name: &str) -> Mapping {
            let mappings = procfs::executable_mappings(self.0.id() as i32);
            let of_program = |mapping: &Mapping| mapping.path.contains(name);
            mappings.into_iter().find(of_program).unwrap()
        }
    }

    #[test]
    fn a_program_that_was_deleted_or_replaced_while_it_runs_is_still_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deployed");
        testkit::copy_program(std::path::Path::new("/bin/cat"), &path);
        let content = fs::read(&path).unwrap();
        let waiting = Waiting::start(&path);
        let pid = waiting.0.id() as i32;
        let read = |mapping: &Mapping| {
            let mut bytes = Vec::new();
            open(pid, mapping).unwrap().read_to_end(&mut bytes).unwrap();
            bytes
        };
        let before = waiting.code("deployed");
        assert!(read(&before) == content);
        fs::remove_file(&path).unwrap();
        fs::write(&path, "the next version").unwrap();
        // The mapping was reported before the file was replaced, or is read after that.
        let after = waiting.code("deployed");
        assert!(after.path.ends_with(DELETED), "{}", after.path);
        for mapping in [before, after] {
            assert!(read(&mapping) == content, "{}", mapping.path);
        }
    }

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
            files.note(pid, &of_path(path));
            assert!(!files.has_go(path), "{path}");
        }
        assert_eq!(files.build_ids(), []);
    }
}
