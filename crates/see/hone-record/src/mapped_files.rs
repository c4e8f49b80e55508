//! The files that were mapped executable: their build ids, and whether they hold Go code.
//!
//! Files are read when a mapping is first seen and not at the end: a process in a container takes its view
//! of the file system with it when it ends.
//!
//! A file may be deleted or replaced while processes run it, as deployments and package managers do. The kernel still has
//! it: under the mapping itself, for whoever is root, and under `exe`. When its last process ends it is gone, and with it the names of
//! the recorded functions, so a copy is kept.

use crate::procfs::Mapping;
use crate::summary::Summary;
use hone_host::build_id::gnu_build_id;
use hone_profile::BuildId;
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use object::read::{ReadCache, ReadRef};
use object::{Endianness, FileKind, SectionIndex};
use rustc_hash::FxHashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Largest number of files that are read: a process that maps more has made them itself.
const FILES_MAX: usize = 10_000;

/// Words that the kernel adds to the path of a file that has lost its name.
const DELETED: &str = " (deleted)";

/// Largest number of copies, and of their bytes together.
const COPIES_MAX: usize = 16;
const COPIED_BYTES_MAX: u64 = 1 << 30;

/// Name of a section of every program that Go has linked since 1.13, also of stripped programs, with the zero that ends it.
const GO_SECTION: &[u8] = b".go.buildinfo\0";

/// Facts read from a file.
#[derive(Default)]
struct Looked {
    build_id: Option<BuildId>,
    has_go: bool,
    /// Process that has mapped the file, and the mapping.
    of: Option<(i32, Mapping)>,
    /// The file, if it had no name when it was read: its process may end before the recording does.
    nameless: Option<File>,
}

/// Paths seen, and the facts read from each file.
#[derive(Default)]
pub(crate) struct MappedFiles {
    seen: FxHashMap<String, Looked>,
    /// Directory for copies of files without names.
    copies: Option<PathBuf>,
}

impl MappedFiles {
    /// Begins without files; copies of those that lose their names go to the directory.
    pub(crate) fn keeping(copies: Option<PathBuf>) -> Self {
        Self {
            copies,
            ..Self::default()
        }
    }

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
        let mut looked = read(pid, mapping).unwrap_or_default();
        if self.copies.is_some() {
            looked.of = Some((pid, mapping.clone()));
        }
        if looked.nameless.is_some() && !self.may_hold_another() {
            looked.nameless = None;
        }
        self.seen.insert(path.to_owned(), looked);
    }

    /// True if one more file may stay open until its copy is made.
    fn may_hold_another(&self) -> bool {
        let held = self.seen.values().filter(|file| file.nameless.is_some());
        self.copies.is_some() && held.count() < COPIES_MAX
    }

    /// Keeps copies of the files that have no name any more, as `BUILDID/executable` below the directory, and tells of them.
    pub(crate) fn keep_nameless(&mut self, summary: &mut Summary) {
        let Some(directory) = self.copies.clone() else {
            return;
        };
        match self.copy_nameless(&directory) {
            Ok(kept) => summary.kept_files.extend(kept),
            Err(error) => summary.warn(format!(
                "A recorded program or library was deleted, and no copy of it could be kept in {}: {error}. Its functions will have no \
                 names; give its file with --binary.",
                directory.display()
            )),
        }
    }

    /// Copies the files that have no name any more. Those that cannot be read any more are left out.
    fn copy_nameless(&mut self, directory: &Path) -> io::Result<Vec<PathBuf>> {
        let mut kept = Vec::new();
        let mut left = COPIED_BYTES_MAX;
        for looked in self.seen.values_mut() {
            let (Some(build_id), Some((pid, mapping))) = (&looked.build_id, &looked.of) else {
                continue;
            };
            let file = looked
                .nameless
                .take()
                .or_else(|| match named(*pid, mapping) {
                    Some(file) if is_mapped(&file, mapping) => None,
                    _ => nameless(*pid, mapping),
                });
            let Some(mut file) = file else { continue };
            let bytes = file.metadata().map_or(0, |metadata| metadata.len());
            let path = directory.join(build_id.to_string()).join("executable");
            let is_there = path.metadata().is_ok_and(|there| there.len() == bytes);
            if bytes > left || kept.len() >= COPIES_MAX || is_there {
                continue;
            }
            left -= bytes;
            file.rewind()?;
            write_copy(&file, &path)?;
            kept.push(path);
        }
        Ok(kept)
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
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() {
        return None;
    }
    let nameless = match metadata.nlink() {
        0 => file.try_clone().ok(),
        _ => None,
    };
    let cache = ReadCache::new(&file);
    let data = cache.range(0, metadata.len());
    let has_go = match FileKind::parse(data).ok()? {
        FileKind::Elf64 => has_go::<FileHeader64<Endianness>>(data).ok()?,
        FileKind::Elf32 => has_go::<FileHeader32<Endianness>>(data).ok()?,
        _ => return None,
    };
    Some(Looked {
        build_id: gnu_build_id(&file).and_then(|id| BuildId::new(&id)),
        has_go,
        of: None,
        nameless,
    })
}

/// Returns true if an ELF file holds Go code. Its symbols are left alone, which may take megabytes.
fn has_go<'d, Elf: FileHeader<Endian = Endianness>>(
    data: impl ReadRef<'d>,
) -> object::Result<bool> {
    let header = Elf::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    // Looked up one by one, names would be read from the file one by one.
    let names = SectionIndex(header.shstrndx(endian, data)? as usize);
    let names = sections
        .section(names)
        .and_then(|names| names.data(endian, data));
    let names = names.unwrap_or_default();
    Ok(sections.iter().any(|section| {
        let name = names.get(section.sh_name(endian) as usize..);
        name.is_some_and(|name| name.starts_with(GO_SECTION))
    }))
}

/// Opens the file that a process has mapped: the path as the process sees it, since the process may have another root and
/// other mounts, or as this process sees it. If another file lies there now, or none, opens the file that has lost its name.
pub(crate) fn open(pid: i32, mapping: &Mapping) -> Option<File> {
    match named(pid, mapping) {
        Some(file) if is_mapped(&file, mapping) => Some(file),
        // The numbers of some file systems differ from those of their mappings: a file of that name is better than none.
        named => nameless(pid, mapping).or(named),
    }
}

/// Opens the file at the path of a mapping, which may be another by now.
fn named(pid: i32, mapping: &Mapping) -> Option<File> {
    let path = mapping.path.as_str();
    open_now(&format!("/proc/{pid}/root{path}")).or_else(|| open_now(path))
}

/// Copies a file under a temporary name, and then gives it its own.
fn write_copy(mut file: &File, path: &Path) -> io::Result<()> {
    let directory = path.parent().unwrap_or(path);
    fs::create_dir_all(directory)?;
    let mut part = tempfile::NamedTempFile::new_in(directory)?;
    io::copy(&mut file, &mut part)?;
    part.persist(path)?;
    Ok(())
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

    /// The process of the first ends before its file is kept, the file of the second is deleted after it was seen.
    #[test]
    fn files_that_lost_their_names_are_kept_by_build_id_and_others_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let (ended, lives) = (
            directory.path().join("ended"),
            directory.path().join("lives"),
        );
        testkit::copy_program(Path::new("/bin/cat"), &ended);
        testkit::copy_program(Path::new("/bin/tee"), &lives);
        let content = [&ended, &lives].map(|path| fs::read(path).unwrap());
        let (first, second) = (Waiting::start(&ended), Waiting::start(&lives));
        fs::remove_file(&ended).unwrap();
        let cache = directory.path().join("cache");
        let mut files = MappedFiles::keeping(Some(cache.clone()));
        files.note(first.0.id() as i32, &first.code("ended"));
        files.note(second.0.id() as i32, &second.code("lives"));
        let libc = second.code("libc");
        files.note(second.0.id() as i32, &libc);
        drop(first);
        fs::remove_file(&lives).unwrap();
        let mut kept = files.copy_nameless(&cache).unwrap();
        kept.sort();
        let read: Vec<Vec<u8>> = kept.iter().map(|path| fs::read(path).unwrap()).collect();
        assert!(
            read.len() == 2 && content.iter().all(|one| read.contains(one)),
            "{kept:?}"
        );
        for path in &kept {
            assert!(
                path.starts_with(&cache) && path.ends_with("executable"),
                "{path:?}"
            );
        }
        assert!(
            files.copy_nameless(&cache).unwrap().is_empty(),
            "what is there is not copied again"
        );
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
