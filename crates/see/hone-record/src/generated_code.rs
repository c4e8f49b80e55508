//! Code without a file: which processes have it, where in it they were sampled, and the names that their runtimes write.
//!
//! A runtime writes a perf map to `/tmp/perf-PID.map` of its own mount namespace, by the process id of its own pid namespace,
//! or a jitdump that it maps. The files are read at the end of the recording, since names come while code is made and some
//! runtimes write them as they end. By then the process may be gone, and its view of the file system with it: what is needed
//! to find the map is read when the process is first sampled in such code, and its directory is kept open.
//!
//! The recorder may be root and the directory anybody's. A file is read only if it is a regular file, no symbolic link, and
//! belongs to the user of the process; for a process that has gone before it was looked at, to the recorder's own user.
//! Only names are taken from it.

use crate::procfs;
use crate::record_bytes as bytes;
use hone_host::key_lines::field;
use hone_profile::code_names::{read_jitdump, read_perf_map};
use hone_profile::limits::CODE_MAPS_MAX;
use hone_profile::{Avma, BinaryKind, CodeMap, kind_of_user_mapping};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Ranges of code without a file that are kept of one process.
const RANGES_MAX: usize = 10_000;
/// Addresses that are kept of all processes.
const ADDRESSES_MAX: usize = 1 << 20;
/// Directories and jitdumps that are kept open.
const OPEN_MAX: usize = 128;
/// Directory of perf maps.
const DIRECTORY: &str = "/tmp";

/// Code without a file of the recorded processes.
#[derive(Default)]
pub(crate) struct MadeCode {
    processes: FxHashMap<i32, Maker>,
    addresses: usize,
    open: usize,
}

/// A process with code without a file.
#[derive(Default)]
struct Maker {
    /// First addresses of the ranges of such code, and the first behind each.
    ranges: BTreeMap<u64, u64>,
    /// Sampled addresses in the ranges.
    sampled: BTreeSet<u64>,
    /// Place of the perf map; `None` until the process is sampled in such code.
    place: Option<Place>,
    /// Jitdumps that the process has mapped.
    dumps: Vec<File>,
}

/// Place of the perf map of a process.
#[derive(Debug)]
struct Place {
    /// Process id in the process's own namespace.
    pid: i32,
    /// User of the process.
    user: u32,
    directory: Directory,
}

/// Directory of a process's perf map.
#[derive(Debug)]
enum Directory {
    /// The recorder's own.
    Own,
    /// A directory that the recorder may not be able to name any more.
    Open(File),
    /// The directory of this process, if it still lives when the map is read.
    Of(i32),
}

impl MadeCode {
    /// Takes an executable mapping of a process.
    pub(crate) fn map(&mut self, pid: i32, mapping: &procfs::Mapping) {
        if pid < 0 || !mapping.is_executable() {
            return;
        }
        if is_jitdump(&mapping.path) {
            return self.map_dump(pid, &mapping.path);
        }
        // The page of old system calls lies in the kernel's half.
        if kind_of_user_mapping(&mapping.path) != BinaryKind::Anonymous
            || mapping.path == "[vsyscall]"
        {
            return;
        }
        let Some(maker) = self.maker(pid) else {
            return;
        };
        maker.add(mapping.start, mapping.end);
    }

    fn map_dump(&mut self, pid: i32, path: &str) {
        if self.open >= OPEN_MAX {
            return;
        }
        let theirs = PathBuf::from(format!("/proc/{pid}/root{path}"));
        let user = user_and_number(pid).map(|(user, _)| user);
        let dump = [theirs, PathBuf::from(path)]
            .iter()
            .find_map(|path| open_of(path, user.unwrap_or_else(own_user)).ok());
        if let Some(dump) = dump
            && let Some(maker) = self.maker(pid)
        {
            maker.dumps.push(dump);
            self.open += 1;
        }
    }

    /// Returns a process; `None` for a new one beyond the limit.
    fn maker(&mut self, pid: i32) -> Option<&mut Maker> {
        if self.processes.len() >= CODE_MAPS_MAX && !self.processes.contains_key(&pid) {
            return None;
        }
        Some(self.processes.entry(pid).or_default())
    }

    /// Takes a record as read from a ring, other than mappings.
    pub(crate) fn record(&mut self, record: &[u8]) {
        if let Some((parent, child)) = bytes::fork(record)
            && let Some(ranges) = self.processes.get(&parent).map(|of| of.ranges.clone())
            && let Some(maker) = self.maker(child)
        {
            maker.ranges = ranges;
        }
    }

    /// Takes a sample as it is written: its instruction and, with call chains, its callers.
    pub(crate) fn sampled(&mut self, sample: &[u8], call_chains: bool) {
        let pid = bytes::sample_pid(sample);
        if self.processes.contains_key(&pid) {
            bytes::sample_addresses(sample, call_chains)
                .for_each(|address| self.sampled_at(pid, address));
        }
    }

    /// Takes a sampled address.
    pub(crate) fn sampled_at(&mut self, pid: i32, address: u64) {
        if self.addresses >= ADDRESSES_MAX {
            return;
        }
        let Some(maker) = self.processes.get_mut(&pid) else {
            return;
        };
        let range = maker.ranges.range(..=address).next_back();
        if range.is_none_or(|(_, end)| address > *end) || !maker.sampled.insert(address) {
            return;
        }
        self.addresses += 1;
        // The address may be where a call returns to, and the call the last instruction of its function.
        maker.sampled.insert(address.saturating_sub(1));
        if maker.place.is_none() {
            let place = Place::of(pid, self.open < OPEN_MAX);
            self.open += usize::from(matches!(place.directory, Directory::Open(_)));
            maker.place = Some(place);
        }
    }

    /// Reads the names of all functions that were sampled.
    pub(crate) fn close(&mut self) -> BTreeMap<i32, CodeMap> {
        let makers = std::mem::take(&mut self.processes).into_iter();
        let maps = makers.map(|(pid, maker)| (pid, maker.names()));
        maps.filter(|(_, map)| !map.is_empty()).collect()
    }
}

impl Maker {
    /// Adds a range, as one with the ranges that it touches.
    fn add(&mut self, mut start: u64, mut end: u64) {
        while let Some((&first, &last)) = self.ranges.range(..=end).next_back()
            && last >= start
        {
            self.ranges.remove(&first);
            (start, end) = (start.min(first), end.max(last));
        }
        if self.ranges.len() < RANGES_MAX {
            self.ranges.insert(start, end);
        }
    }

    /// Reads the names of the functions that were sampled, as far as the files can be read.
    fn names(self) -> CodeMap {
        let mut names = CodeMap::default();
        let Some(place) = self.place else {
            return names;
        };
        let mut take = |start: Avma, len: u64, name: &str| {
            let end = start.0.saturating_add(len);
            if start.0 < end && self.sampled.range(start.0..end).next().is_some() {
                names.add(start, len, name);
            }
        };
        for dump in self.dumps {
            let _ = read_jitdump(BufReader::new(dump), &mut take);
        }
        if let Ok(map) = place.open() {
            let _ = read_perf_map(BufReader::new(map), &mut take);
        }
        names.keep(&self.sampled);
        names
    }
}

impl Place {
    /// Finds the place of a process's perf map. `may_open`: a directory may be kept open.
    fn of(pid: i32, may_open: bool) -> Self {
        let Some((user, number)) = user_and_number(pid) else {
            return Self {
                pid,
                user: own_user(),
                directory: Directory::Own,
            };
        };
        let directory = match (has_other_files(pid), may_open) {
            (false, _) => Directory::Own,
            (true, false) => Directory::Of(pid),
            (true, true) => open_directory_of(pid).map_or(Directory::Of(pid), Directory::Open),
        };
        Self {
            pid: number,
            user,
            directory,
        }
    }

    fn open(&self) -> io::Result<File> {
        let name = format!("perf-{}.map", self.pid);
        // A file below an open directory, also of a file system that nobody else sees any more.
        let below = |directory: &File| {
            let number = directory.as_raw_fd();
            open_of(
                Path::new(&format!("/proc/self/fd/{number}/{name}")),
                self.user,
            )
        };
        match &self.directory {
            Directory::Own => open_of(&Path::new(DIRECTORY).join(name), self.user),
            Directory::Open(directory) => below(directory),
            Directory::Of(pid) => below(&open_directory_of(*pid)?),
        }
    }
}

/// Opens the perf map that a process of this machine has left in `/tmp`, if it belongs to this process's user or root.
///
/// # Errors
///
/// Returns an error if there is no such file.
pub fn perf_map(pid: i32) -> io::Result<File> {
    let path = Path::new(DIRECTORY).join(format!("perf-{pid}.map"));
    open_of(&path, own_user()).or_else(|_| open_of(&path, 0))
}

/// Opens a regular file of a user; symbolic links, pipes and files of others are refused.
fn open_of(path: &Path, user: u32) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() && metadata.uid() == user {
        true => Ok(file),
        false => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

fn open_directory(path: &str) -> io::Result<File> {
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn open_directory_of(pid: i32) -> io::Result<File> {
    open_directory(&format!("/proc/{pid}/root{DIRECTORY}"))
}

/// Returns a process's user, and its number in its own pid namespace; `None` if it is gone.
fn user_and_number(pid: i32) -> Option<(u32, i32)> {
    parse_user_and_number(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

/// Parses `/proc/PID/status`: the effective user, and the innermost of the process ids.
fn parse_user_and_number(status: &str) -> Option<(u32, i32)> {
    let user = field(status, "Uid:")?.split_ascii_whitespace().nth(1)?;
    let numbers = field(status, "NStgid:").or_else(|| field(status, "Tgid:"))?;
    let number = numbers.split_ascii_whitespace().next_back()?;
    Some((user.parse().ok()?, number.parse().ok()?))
}

fn own_user() -> u32 {
    user_and_number(std::process::id() as i32).map_or(u32::MAX, |(user, _)| user)
}

/// Returns true if a process has another root directory or other mounts than the recorder.
fn has_other_files(pid: i32) -> bool {
    let differs = |name: &str| {
        let link = |of: &str| fs::read_link(format!("/proc/{of}/{name}")).ok();
        link(&pid.to_string()) != link("self")
    };
    differs("ns/mnt") || differs("root")
}

fn is_jitdump(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.starts_with('/')
        && (name
            .strip_prefix("jit-")
            .and_then(|name| name.strip_suffix(".dump")))
        .is_some_and(|number| number.parse::<i32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn code(start: u64, end: u64, path: &str) -> procfs::Mapping {
        procfs::Mapping {
            start,
            end,
            file_offset: 0,
            protection: libc::PROT_EXEC as u32,
            flags: libc::MAP_PRIVATE as u32,
            device: (0, 0, 0),
            path: path.to_owned(),
        }
    }

    /// A process whose perf map lies in a directory of the test.
    fn made(directory: &Path, pid: i32) -> MadeCode {
        let mut made = MadeCode::default();
        made.map(pid, &code(0x1000, 0x3000, "//anon"));
        let maker = made.processes.get_mut(&pid).unwrap();
        maker.place = Some(Place {
            pid,
            user: own_user(),
            directory: Directory::Open(open_directory(&directory.to_string_lossy()).unwrap()),
        });
        made
    }

    const MAP: &str = "1000 100 first\n1100 100 second\n2000 100 third\n";

    #[test]
    fn the_map_of_a_process_gives_names_to_what_was_sampled() {
        let directory = tempfile::tempdir().unwrap();
        let mut made = made(directory.path(), 42);
        // Behind the last instruction of the first function; elsewhere; in a file.
        for address in [0x1100, 0x2fff, 0x9000] {
            made.sampled_at(42, address);
        }
        made.sampled_at(43, 0x1000);
        fs::write(directory.path().join("perf-42.map"), MAP).unwrap();
        let maps = made.close();
        assert_eq!(maps.keys().copied().collect::<Vec<_>>(), [42]);
        let names = [0x10ff, 0x1100, 0x2000].map(|at| maps[&42].at(Avma(at)));
        assert_eq!(names, [Some("first"), Some("second"), None]);
    }

    #[test]
    fn ranges_that_touch_are_one() {
        let mut maker = Maker::default();
        for (start, end) in [(10, 20), (30, 40), (15, 18), (20, 25), (50, 60), (24, 31)] {
            maker.add(start, end);
        }
        assert_eq!(maker.ranges, BTreeMap::from([(10, 40), (50, 60)]));
        maker.add(0, 100);
        assert_eq!(maker.ranges, BTreeMap::from([(0, 100)]));
    }

    #[test]
    fn a_process_that_was_not_sampled_there_has_no_names() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("perf-42.map"), MAP).unwrap();
        assert!(made(directory.path(), 42).close().is_empty());
    }

    #[test]
    fn a_child_has_the_code_of_its_parent() {
        let mut made = MadeCode::default();
        made.map(7, &code(0x1000, 0x2000, "[anon:v8]"));
        let mut fork = [0; 56];
        fork[0] = bytes::FORK as u8;
        (fork[8], fork[12]) = (8, 7);
        made.record(&fork);
        made.sampled_at(8, 0x1800);
        assert!(made.processes[&8].sampled.contains(&0x1800));
    }

    #[test]
    fn links_pipes_and_files_of_others_are_no_maps() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::write(path("map"), MAP).unwrap();
        assert!(open_of(&path("map"), own_user()).is_ok());
        assert!(open_of(&path("map"), own_user() + 1).is_err());
        symlink(path("map"), path("link")).unwrap();
        assert!(open_of(&path("link"), own_user()).is_err());
        assert!(open_of(directory.path(), own_user()).is_err());
        let is_made = std::process::Command::new("mkfifo")
            .arg(path("pipe"))
            .status();
        assert!(is_made.is_ok_and(|status| status.success()));
        assert!(open_of(&path("pipe"), own_user()).is_err());
        symlink(directory.path(), path("directory")).unwrap();
        assert!(open_directory(&path("directory").to_string_lossy()).is_err());
    }

    #[test]
    fn a_process_is_called_by_its_innermost_number_and_its_effective_user() {
        let status =
            "Name:\tnode\nTgid:\t700\nUid:\t1\t2\t3\t4\nNStgid:\t700\t12\nNSpid:\t700\t12\n";
        assert_eq!(parse_user_and_number(status), Some((2, 12)));
        assert_eq!(
            parse_user_and_number("Uid:\t1\t2\t3\t4\nTgid:\t7\n"),
            Some((2, 7))
        );
        assert_eq!(parse_user_and_number(""), None);
        assert!(!has_other_files(std::process::id() as i32));
    }

    #[test]
    fn jitdumps_are_known_by_their_names() {
        for (path, expected) in [
            ("/tmp/jit-12.dump", true),
            ("/root/.debug/jit/java-jit-1/jit-7.dump", true),
            ("/tmp/jit-x.dump", false),
            ("/tmp/xjit-12.dump", false),
            ("jit-12.dump", false),
            ("//anon", false),
        ] {
            assert_eq!(is_jitdump(path), expected, "{path}");
        }
    }
}
