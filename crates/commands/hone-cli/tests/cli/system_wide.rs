//! `hone record -a` and `--cgroup`: processes that ran before, start later, become other programs or are moved.

mod containers;
mod to_hub;

use crate::common::{hone, is_in_path, run_in, stderr, stdout};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Spins in a function of a name of its own for so many milliseconds of CPU time, then becomes another program.
const PROGRAM: &str = "
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}
__attribute__((noinline)) unsigned long NAME(unsigned long x) {
    for (int i = 0; i < 1000000; i++) x = x * 2862933555777941757ul + 3037000493ul;
    return x;
}
int main(int argc, char **argv) {
    unsigned long x = argc;
    double until = cpu_s() + atoi(argv[1]) * 1e-3;
    while (cpu_s() < until) x = NAME(x);
    if (argc > 2) execv(argv[2], argv + 2);
    return x == 1;
}
";

/// A directory with a program for each name, which is also the name of its function; stripped of nothing.
fn programs(names: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("p.c"), PROGRAM).unwrap();
    for name in names {
        let function = format!("-DNAME={name}");
        let words = ["-O2", "-fomit-frame-pointer", &function, "p.c", "-o", name];
        run_in(directory.path(), "cc", &words);
    }
    directory
}

/// Whether this user may record everybody.
fn may_record_all() -> bool {
    let directory = tempfile::tempdir().unwrap();
    let output = hone(&["record", "-a", "--", "true"], directory.path());
    let refused = stderr(&output).contains("refuses to record every process");
    if refused {
        println!("skipped: {}", stderr(&output));
    }
    !refused
}

/// A child that is ended with the test.
struct Running(Child);

impl Running {
    fn start(directory: &Path, words: &[&str]) -> Self {
        let mut command = Command::new(directory.join(words[0]));
        let command = command.args(&words[1..]).current_dir(directory);
        Self(command.stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Samples and rows of a view: name and samples' share.
fn rows(directory: &Path, options: &[&str]) -> Vec<(String, f64)> {
    let words = [&["top", "--json", "-n", "0"], options].concat();
    let output = hone(&words, directory);
    assert!(output.status.success(), "{}", stderr(&output));
    let table: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let rows = table["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        let name = row["name"].as_str().unwrap().to_owned();
        (name, row["total_share"].as_f64().unwrap())
    })
    .collect()
}

fn has(rows: &[(String, f64)], name: &str) -> bool {
    rows.iter().any(|(row, _)| row.contains(name))
}

fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", stderr(output));
}

#[test]
#[ignore = "finds by samples"]
fn all_processes_are_recorded_whenever_they_start() {
    if !may_record_all() {
        return;
    }
    let directory = programs(&["ran_before", "forked", "became", "started_later"]);
    let directory = directory.path();
    let _before = Running::start(directory, &["ran_before", "3600000"]);
    let script = "./forked 400 ./became 400 & ./started_later 400 & wait";
    let words = "record -a -g -F 199 -- sh -c".split(' ');
    let words: Vec<&str> = words.chain([script]).collect();
    let recorded = hone(&words, directory);
    succeeds(&recorded);
    let said = stderr(&recorded);
    assert!(
        said.contains("the machine used") && said.contains("of a core"),
        "{said}"
    );

    let by_process = rows(directory, &["--by", "process"]);
    for name in ["ran_before", "became", "started_later"] {
        assert!(has(&by_process, name), "{name}: {by_process:?}");
    }
    assert!(!has(&by_process, "swapper"), "{by_process:?}");
    // The same process before and after its exec, each with the names of its own file and with their caller.
    let functions = rows(directory, &["--sort", "total", "--focus", "^main$"]);
    for name in ["ran_before", "forked", "became", "started_later", "main"] {
        assert!(has(&functions, name), "{name}: {functions:?}");
    }
    if is_in_path("perf") {
        for words in [
            "report --stdio -i hone.data",
            "script -F comm,ip,sym -i hone.data",
        ] {
            let perf = Command::new("perf")
                .args(words.split(' '))
                .current_dir(directory)
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&perf.stdout);
            assert!(perf.status.success(), "{words}: {}", stderr(&perf));
            for name in ["ran_before", "became", "started_later"] {
                assert!(text.contains(name), "{words}: no {name}");
            }
        }
    } else {
        println!("skipped: no perf");
    }
    let found = hone(&["diagnose", "--json", "--focus", "^main$"], directory);
    let found: serde_json::Value = serde_json::from_str(&stdout(&found)).unwrap();
    assert!(found["samples"].as_u64() > Some(0), "{found}");
}

/// A cgroup for a test, removed with it.
struct Group(PathBuf);

impl Group {
    fn make() -> Option<Self> {
        let path = hone_record::cgroup2_mount()
            .map(|mount| mount.join(format!("hone-test-{}", std::process::id())));
        let made = path.filter(|path| fs::create_dir(path).is_ok());
        if made.is_none() {
            println!("skipped: no cgroup of the second version can be made here");
        }
        made.map(Self)
    }

    fn take(&self, child: &Running) {
        let pid = child.0.id().to_string();
        fs::write(self.0.join("cgroup.procs"), pid).unwrap();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
#[ignore = "finds by samples"]
fn a_cgroup_is_recorded_and_nobody_else() {
    if !may_record_all() {
        return;
    }
    let Some(group) = Group::make() else { return };
    let directory = programs(&["was_there", "moved_in", "born_inside", "outside"]);
    let directory = directory.path();
    let _outside = Running::start(directory, &["outside", "3600000"]);
    let inside = Running::start(directory, &["was_there", "3600000"]);
    group.take(&inside);
    // It runs already when it is moved, so that the kernel tells nothing of its files.
    let moved = Running::start(directory, &["moved_in", "3600000"]);
    let path = group.0.to_str().unwrap();
    let script = format!(
        "echo {} > {path}/cgroup.procs; (echo 0 > {path}/cgroup.procs; ./born_inside 300); ./outside 300",
        moved.0.id()
    );
    let script = ["sh", "-c", &script];
    let words = ["record", "-g", "-F", "199", "--cgroup", path, "--"];
    let recorded = hone(&[&words[..], &script].concat(), directory);
    let said = stderr(&recorded);
    if said.contains("no cgroup can be recorded here") {
        println!("skipped: {said}");
        return;
    }
    succeeds(&recorded);
    assert!(said.contains("the cgroup used"), "{said}");
    let by_process = rows(directory, &["--by", "process"]);
    let functions = rows(directory, &[]);
    for name in ["was_there", "moved_in", "born_inside"] {
        assert!(has(&by_process, name), "{name}: {by_process:?}");
        assert!(has(&functions, name), "{name}: {functions:?}");
    }
    assert!(!has(&functions, "outside"), "{functions:?}");
    drop((inside, moved));
}

#[test]
fn what_cannot_be_recorded_is_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let refusal = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let output = hone(&[&["record"], &words[..]].concat(), directory.path());
        assert_eq!(
            output.status.code(),
            Some(2),
            "{words:?}: {}",
            stderr(&output)
        );
        stderr(&output)
    };
    let said = refusal("-a --branches walk -- true");
    assert!(said.contains("not of the whole system"), "{said}");
    let said = refusal("-a --sampler ptrace -- true");
    assert!(said.contains("only perf events"), "{said}");
    assert!(refusal("-a -p 1").contains("cannot be used with"));
    let said = refusal("--cgroup no/such/group -- true");
    let is_there = said.contains("there is no cgroup") && said.contains("no/such/group");
    assert!(
        is_there || said.contains("no cgroup can be recorded here"),
        "{said}"
    );
    assert!(!directory.path().join("hone.data").exists());
}

#[test]
fn who_may_not_record_everybody_is_told_what_it_takes() {
    let level = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    if level.trim().parse::<i32>().is_ok_and(|level| level <= 0) {
        println!("skipped: perf_event_paranoid lets everybody record everybody");
        return;
    }
    let directory = tempfile::tempdir_in("/tmp").unwrap();
    let recording = directory.path().join("hone.data");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
    command.args(["record", "-a", "-o"]).arg(&recording);
    command.args(["--", "true"]);
    if rustix::process::geteuid().is_root() {
        let nobody = 65_534;
        std::os::unix::fs::chown(directory.path(), Some(nobody), Some(nobody)).unwrap();
        command.uid(nobody).gid(nobody);
    }
    let output = match command.current_dir("/").output() {
        Ok(output) => output,
        Err(error) => {
            println!("skipped: another user cannot run hone here: {error}");
            return;
        }
    };
    if output.status.success() {
        println!("skipped: this user may record everybody (CAP_PERFMON)");
        return;
    }
    let said = stderr(&output);
    for part in [
        "refuses to record every process",
        "CAP_PERFMON",
        "perf_event_paranoid=0",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!recording.exists());
}
