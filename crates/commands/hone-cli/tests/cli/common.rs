//! What the end-to-end tests share: running the real command, and a small project to optimise.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

pub(crate) use testkit::{c_compiler, compiled, go, has_tools, is_in_path, run_in};

/// Runs hone to its end.
pub(crate) fn hone(arguments: &[&str], cwd: &Path) -> Output {
    hone_with(arguments, cwd, &[])
}

/// The same with further environment variables. Nothing is fetched from servers that this shell names.
pub(crate) fn hone_with(arguments: &[&str], cwd: &Path, variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hone"))
        .args(arguments)
        .env_remove("DEBUGINFOD_URLS")
        // Set by scripts/timed-test: builds of Rust programs must do without unstable options of the compiler.
        .env_remove("RUSTC_BOOTSTRAP")
        .envs(variables.iter().copied())
        .current_dir(cwd)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Wrong usage or environment: status 2, nothing on standard output, the fact and the next step.
#[track_caller]
pub(crate) fn is_refused(output: &Output, fact: &str, next: &str) {
    let said = str::from_utf8(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(stdout(output), "");
    assert!(said.starts_with("hone: "), "{said}");
    assert!(said.contains(fact), "{said}");
    let step = said.lines().find_map(|line| line.strip_prefix("next: "));
    assert!(step.is_some_and(|step| step.contains(next)), "{said}");
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Sends SIGINT, as Ctrl-C does.
pub(crate) fn interrupt(child: &Child) {
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
}

/// Processes whose working directory lies below `directory`.
pub(crate) fn processes_in(directory: &Path) -> Vec<i32> {
    let directory = directory.canonicalize().unwrap();
    let is_inside = |pid: &i32| {
        let cwd = fs::read_link(format!("/proc/{pid}/cwd"));
        cwd.is_ok_and(|cwd| cwd.starts_with(&directory))
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(is_inside)
        .collect()
}

/// Records a command, every sample with its call stack.
pub(crate) fn record_stacks(directory: &Path, recording: &str, command: &[&str]) {
    let words = "record --call-graph fp -o";
    let words: Vec<_> = words.split(' ').chain([recording, "--"]).collect();
    let output = hone(&[&words[..], command].concat(), directory);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A program of two files with an indirect call that has one hot target, and its hone.toml.
pub(crate) struct Project {
    directory: tempfile::TempDir,
}

/// The main function of programs that tests measure, in C and C++. The first argument is the number of rounds that the program's
/// `work` makes. With a second argument the work is done again and again until this many seconds of CPU are used: as long as
/// `hone optimize` asks of a workload on any machine, and no longer. The rounds are counted, so that gains can be measured. The pointer makes
/// training and measuring run the same copy of the code.
pub(crate) const MAIN_H: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
unsigned work(unsigned n);
int main(int argc, char **argv) {
    static unsigned (*volatile one)(unsigned) = work;
    unsigned n = argc > 1 ? strtoul(argv[1], 0, 10) : 1, rounds = n, sum = one(n);
    double least = argc > 2 ? atof(argv[2]) * CLOCKS_PER_SEC : 0;
    for (; clock() < least; rounds += n)
        if (one(n) != sum) abort();
    printf("sum %u\nrounds %u\n", sum, rounds);
    return 0;
}
"#;

const MAIN: &str = r#"
#include "main.h"
typedef unsigned (*step)(unsigned);
unsigned mix(unsigned), turn(unsigned);
static volatile step steps[2] = {mix, turn};
unsigned work(unsigned n) {
    unsigned sum = 1;
    for (unsigned i = 0; i < n; i++) sum += steps[i % 16 == 0](sum ^ i);
    return sum;
}
"#;

const STEPS: &str = r#"
unsigned mix(unsigned x) {
    x ^= x >> 15;
    if (x % 64 == 3) x = x * 7 + 1;
    x *= 0x2c1b3c6du;
    return x ^ (x >> 12);
}
unsigned turn(unsigned x) { return x << 5 | x >> 27; }
"#;

const BUILD: &str = "set -e\n\
    $CC -O2 -c main.c\n\
    $CC -O2 -c steps.c\n\
    $CC -O2 main.o steps.o -o prog\n";

/// The measured workload of a [`Project`]: the least that is accepted, 0.2 s of CPU, and a little more.
pub(crate) const MEASURE: &str = "{binary} 100003 0.22";

/// The report on the project in a directory, as JSON.
pub(crate) fn report_in(directory: &Path) -> serde_json::Value {
    let text = fs::read_to_string(directory.join(".hone/report/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

impl Project {
    /// A project that tries these levers, as they stand in a TOML list. Its runs are made one after the other: two
    /// tests at a time keep two CPUs busy so, and duets may meet on one.
    pub(crate) fn new(levers: &str) -> Self {
        let project = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        for (name, text) in [
            ("main.h", MAIN_H),
            ("main.c", MAIN),
            ("steps.c", STEPS),
            ("build.sh", BUILD),
        ] {
            fs::write(project.path(name), text).unwrap();
        }
        let compiler = c_compiler();
        let toml = format!(
            r#"
[program]
name = "prog"
binary = "prog"
[build]
command = "sh build.sh"
env = {{ CC = "{compiler}" }}
[check]
command = "{{binary}} 1000"
[[train]]
name = "train"
command = "{{binary}} 30000001"
[[measure]]
name = "measure"
command = "{MEASURE}"
work = 'rounds (\d+)'
compare_pattern = 'sum (\d+)'
[ladder]
levers = [{levers}]
seconds_per_rung = 1
duet = false
"#
        );
        fs::write(project.path("hone.toml"), toml).unwrap();
        project
    }

    /// A path in the project.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    /// Replaces text in one of its files.
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file} does not hold {from:?}");
        fs::write(self.path(file), text.replace(from, to)).unwrap();
    }

    /// Measures another command, which counts no work and whose output is compared as a whole.
    pub(crate) fn measure_by(&self, command: &str) {
        let text = fs::read_to_string(self.path("hone.toml")).unwrap();
        let own = ["work = ", "compare_pattern = "];
        let lines = text
            .lines()
            .filter(|line| !own.iter().any(|key| line.starts_with(key)));
        let kept: String = lines.map(|line| format!("{line}\n")).collect();
        fs::write(self.path("hone.toml"), kept.replace(MEASURE, command)).unwrap();
    }

    /// Lets every variant fail its first measured run, which costs its rung alone: for facts about builds and profiles, which
    /// need no measuring. The baseline and the builds that are recorded run as they should.
    pub(crate) fn measure_no_variant(&self) {
        let command = "case $(readlink -f {binary}) in *baseline*|*profiling*) ;; *) exit 1;; esac; {binary} 10000";
        self.edit("hone.toml", "{binary} 10000", command);
    }

    /// Runs `hone optimize` on it.
    pub(crate) fn optimize(&self, arguments: &[&str]) -> Output {
        let mut all = vec!["optimize", "hone.toml"];
        all.extend(arguments);
        hone(&all, self.directory.path())
    }

    /// Starts `hone optimize` on it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_hone"))
            .args(["optimize", "hone.toml"])
            .args(arguments)
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// The report as JSON.
    pub(crate) fn report(&self) -> serde_json::Value {
        report_in(self.directory.path())
    }

    /// The files of the source tree with their content and time, without `.hone`.
    pub(crate) fn source_files(&self) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
        let entries = fs::read_dir(self.directory.path()).unwrap();
        let paths = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file());
        paths
            .map(|path| {
                let modified = path.metadata().unwrap().modified().unwrap();
                (path.clone(), (fs::read(&path).unwrap(), modified))
            })
            .collect()
    }
}
