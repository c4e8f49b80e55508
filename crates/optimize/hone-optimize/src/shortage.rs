//! Failures that are the machine's: a full disk, too little memory. They are no lever's, and stop the run, which then can be resumed.

use std::path::Path;

use anyhow::{Error, Result, anyhow};
use hone_files::advice::{Advise, in_one_sentence};

/// What tools say where a disk or a quota is full.
const OF_DISK: [&str; 4] = [
    "No space left on device",
    "Disk quota exceeded",
    "(os error 28)",
    "(os error 122)",
];
/// What compilers, linkers and cargo say where memory does not suffice, or the kernel has killed one of them for it.
const OF_MEMORY: [&str; 8] = [
    "Cannot allocate memory",
    "virtual memory exhausted",
    "out of memory allocating",
    "LLVM ERROR: out of memory",
    "Killed signal terminated program",
    "unable to execute command: Killed",
    "terminated with signal 9 [Killed]",
    "(signal: 9, SIGKILL: kill)",
];
/// Bytes of free disk below which a failure is one of the disk, whatever it says.
const FREE_MIN: u64 = 4 << 20;

/// Returns an error if a failure is the machine's. `home` is the directory that holds all builds.
pub(crate) fn check(home: &Path, failure: &Error) -> Result<()> {
    match fault(&in_one_sentence(failure), free_bytes(home)) {
        None => Ok(()),
        Some(Fault::Disk) => Err(anyhow!("no space is left for what hone writes: {failure:#}"))
            .next(format!(
                "free some on the disk of {} and of the temporary directory; the same command then continues where this one stopped",
                home.display()
            )),
        Some(Fault::Memory) => Err(anyhow!("memory did not suffice: {failure:#}")).next(
            "end what else runs here, or give build.command fewer jobs (-j); the same command then continues where this one \
             stopped. If one rung alone needs more than the machine has, leave that rung out (ladder.levers in hone.toml)",
        ),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Disk,
    Memory,
}

fn fault(said: &str, free_bytes: Option<u64>) -> Option<Fault> {
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if says(&OF_DISK) || free_bytes.is_some_and(|free| free < FREE_MIN) {
        return Some(Fault::Disk);
    }
    says(&OF_MEMORY).then_some(Fault::Memory)
}

/// Returns the bytes that are free for this user on the disk of a directory.
fn free_bytes(directory: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(directory).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_known_by_what_tools_say_and_by_the_free_space() {
        for (said, free, expected) in [
            (
                "the check command failed: exit status 3",
                Some(1 << 30),
                None,
            ),
            (
                "as: cannot write a.o: No space left on device",
                Some(1 << 30),
                Some(Fault::Disk),
            ),
            ("exit status 1", Some(1 << 20), Some(Fault::Disk)),
            ("exit status 1", None, None),
            (
                "g++: fatal error: Killed signal terminated program cc1plus",
                None,
                Some(Fault::Memory),
            ),
            (
                "clang: error: unable to execute command: Killed",
                None,
                Some(Fault::Memory),
            ),
        ] {
            assert_eq!(fault(said, free), expected, "{said}");
        }
        let io = Error::from(std::io::Error::from_raw_os_error(28));
        let said = check(Path::new("/tmp"), &io.context("a profile")).unwrap_err();
        let said = in_one_sentence(&said);
        assert!(
            said.contains("no space is left") && said.contains("the same command"),
            "{said}"
        );
    }
}
