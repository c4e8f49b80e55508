//! What users of create_llvm_prof, llvm-profgen, perf2bolt, profile_merger and merge-fdata complain about, tried
//! with Hone, end to end: real programs, real recordings, and the real tools beside it where they are installed.
//!
//! Each test names the complaint. docs/internals/complaints.md lists all of them; hone-convert's tests prove them on recordings
//! that are exact, and these that what recorders write today is like those.

mod binaries;
mod exact;
mod profiles;
mod recordings;

use crate::common::{has_tools, hone, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Virtual calls with one hot target of two, and a loop.
const PROGRAM: &str = include_str!("../../../../../../testdata/recordings/sources/filters.cc");

/// Flags of a build that is recorded. DWARF 4, since create_llvm_prof 0.19 reads no other.
const FOR_PROFILING: [&str; 3] = ["-g", "-gdwarf-4", "-fdebug-info-for-profiling"];
const WALK: [&str; 4] = ["--branches", "walk", "--overhead", "20%"];
const PLAIN: [&str; 2] = ["--branches", "none"];

/// Samples, and branch records of walks, that a recording has at least.
const SAMPLES_MIN: u64 = 50;
const BRANCHES_MIN: u64 = 20_000;

/// Returns the number before a word in what `hone record` says of a recording.
fn number_before(word: &str, said: &str) -> u64 {
    let number = said
        .split(word)
        .next()
        .filter(|before| before.len() < said.len());
    let number = number.and_then(|before| before.trim_end().rsplit(' ').next());
    number.map_or(0, |number| number.replace(',', "").parse().unwrap_or(0))
}

/// A program, `p`, in a directory of its own, where its recordings go too.
struct Made {
    directory: tempfile::TempDir,
}

impl Made {
    /// Compiles [`PROGRAM`]; `None` where a tool is missing.
    fn new(flags: &[&str]) -> Option<Self> {
        Self::of(PROGRAM, &[&FOR_PROFILING[..], flags].concat())
    }

    fn of(source: &str, flags: &[&str]) -> Option<Self> {
        if !has_tools(&["clang++-19", "ld.lld-19"]) {
            return None;
        }
        let made = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        fs::write(made.path("p.cc"), source).unwrap();
        let linking = ["-fuse-ld=lld-19", "-Wl,--build-id=sha1", "-Wl,-q"];
        let words = ["-O2", "p.cc", "-o", "p"];
        made.run("clang++-19", &[&words[..], &linking, flags].concat());
        Some(made)
    }

    fn dir(&self) -> &Path {
        self.directory.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    /// Runs a tool and expects it to succeed; what it printed.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.attempt(program, arguments);
        assert!(output.status.success(), "{program}: {}", stderr(&output));
        stdout(&output)
    }

    fn attempt(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        let command = command.args(arguments).current_dir(self.dir());
        command.stdin(Stdio::null()).output().unwrap()
    }

    fn hone(&self, arguments: &[&str]) -> Output {
        hone(arguments, self.dir())
    }

    /// Records `./p` into the file. A machine that stalls for as long as the program runs leaves hardly a sample: then longer
    /// runs are recorded.
    fn record(&self, file: &str, options: &[&str]) {
        for rounds in [60_000_000_u64, 240_000_000, 960_000_000] {
            let rounds = rounds.to_string();
            let program = ["-o", file, "--", "./p", &rounds];
            let output = self.hone(&[&["record"], options, &program].concat());
            assert!(output.status.success(), "{}", stderr(&output));
            let said = stdout(&output) + &stderr(&output);
            let is_walked =
                options != WALK || number_before("branch records", &said) >= BRANCHES_MIN;
            if is_walked && number_before("samples", &said) >= SAMPLES_MIN {
                return;
            }
            println!("recorded too little: {said}");
        }
    }

    /// Records with the real perf, in user space, without branches: `None` where there is none.
    fn perf_record(&self, file: &str, options: &[&str]) -> Option<()> {
        if !has_tools(&["perf"]) {
            return None;
        }
        let words = ["record", "-q", "-e", "cpu-clock:u", "-F", "997", "-o", file];
        let program = ["--", "./p", "300000000"];
        let output = self.attempt("perf", &[&words[..], options, &program].concat());
        if !output.status.success() {
            println!("skipped: perf does not record here: {}", stderr(&output));
            return None;
        }
        Some(())
    }

    fn convert(&self, recording: &str, binary: &str, form: &str, more: &[&str]) -> Output {
        let words = ["convert", recording, "--binary", binary, "--to", form];
        self.hone(&[&words[..], more].concat())
    }

    /// A profile of `p` as text, and what was said.
    fn profile(&self, recording: &str, form: &str) -> (String, String) {
        let output = self.convert(recording, "p", form, &[]);
        assert!(output.status.success(), "{form}: {}", stderr(&output));
        (stdout(&output), stderr(&output))
    }
}
