//! `hone record` and `hone convert` end to end: the real recorder on a real program, read by the real tools. One recording of each
//! source of branches, and of each way to follow calls; what recordings become is tested in hone-convert and hone-look.

use crate::common::{has_tools, hone, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = r#"
#include <cstdio>
#include <cstdlib>
struct Filter { virtual ~Filter() = default; virtual unsigned run(unsigned) = 0; };
struct Add : Filter { unsigned run(unsigned x) override; };
struct Mul : Filter { unsigned run(unsigned x) override; };
__attribute__((noinline)) unsigned Add::run(unsigned x) { return x + 7; }
__attribute__((noinline)) unsigned Mul::run(unsigned x) { return x % 3 ? x * 5 : x / 3; }
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], nullptr, 10), sum = argc;
    Filter *filters[] = {new Add, new Mul, new Add, new Add};
    for (unsigned i = 0; i < n; i++) sum = filters[i % 4]->run(sum);
    printf("%u\n", sum);
    return 7;
}
"#;

struct Recorded {
    directory: tempfile::TempDir,
    output: Output,
}

impl Recorded {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn hone(&self, arguments: &[&str]) -> Output {
        hone(arguments, self.directory.path())
    }
}

fn compile(directory: &Path, flags: &[&str]) {
    fs::write(directory.join("p.cc"), PROGRAM).unwrap();
    let status = Command::new("clang++-19")
        .args(["-O2", "p.cc", "-o", "p"])
        .args(flags)
        .current_dir(directory)
        .status();
    assert!(status.unwrap().success());
}

/// Compiles with these flags and records; `None` where there is no clang.
fn recorded(flags: &[&str], options: &[&str]) -> Option<Recorded> {
    if !has_tools(&["clang++-19"]) {
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    compile(directory.path(), flags);
    let mut arguments = vec!["record"];
    arguments.extend(options);
    arguments.extend(["--", "./p", "100000000"]);
    let output = hone(&arguments, directory.path());
    Some(Recorded { directory, output })
}

const FOR_PROFILING: &[&str] = &["-gline-tables-only", "-fdebug-info-for-profiling"];

#[test]
fn walked_branches_become_a_profile_that_llvm_reads() {
    let Some(recorded) = recorded(FOR_PROFILING, &["--branches", "walk", "--overhead", "20%"])
    else {
        return;
    };
    let summary = stderr(&recorded.output);
    assert_eq!(
        recorded.output.status.code(),
        Some(7),
        "{}",
        stderr(&recorded.output)
    );
    assert!(
        summary.contains("branch records (walk)") && summary.contains("held up for"),
        "{summary}"
    );
    for (form, file) in [("autofdo-text", "p.txt"), ("autofdo-extbinary", "p.prof")] {
        let output = recorded.hone(&[
            "convert",
            "hone.data",
            "--binary",
            "p",
            "--to",
            form,
            "-o",
            file,
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        if !has_tools(&["llvm-profdata-19"]) {
            continue;
        }
        let shown = Command::new("llvm-profdata-19")
            .args(["show", "--sample"])
            .arg(recorded.path(file))
            .output()
            .unwrap();
        let text = stdout(&shown);
        assert!(shown.status.success(), "{}", stderr(&shown));
        for name in ["main", "_ZN3Add3runEj", "_ZN3Mul3runEj"] {
            assert!(text.contains(name), "{form} lacks {name}:\n{text}");
        }
    }
}

#[test]
#[ignore = "finds by samples"]
fn walked_calls_have_their_shares() {
    let walk = ["--branches", "walk", "--overhead", "20%"];
    let Some(recorded) = recorded(FOR_PROFILING, &walk) else {
        return;
    };
    let words = "convert hone.data --binary p --to autofdo-text -o p.txt";
    let output = recorded.hone(&words.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(recorded.path("p.txt")).unwrap();
    let calls = text
        .lines()
        .find(|line| line.contains("_ZN3Add3runEj:") && line.starts_with(' '));
    let count = |name: &str| -> f64 {
        let line = calls.unwrap_or_else(|| panic!("no call targets in\n{text}"));
        let after = line.split(&format!("{name}:")).nth(1).unwrap_or("0");
        after.split(' ').next().unwrap().parse().unwrap()
    };
    let ratio = count("_ZN3Add3runEj") / count("_ZN3Mul3runEj");
    assert!(
        (2.0..4.5).contains(&ratio),
        "3 of 4 calls go to Add, the profile says {ratio} to 1\n{text}"
    );
}

#[test]
#[ignore = "finds by samples"]
fn perf_reads_the_recording() {
    if !has_tools(&["perf"]) {
        return;
    }
    let Some(recorded) = recorded(FOR_PROFILING, &["--branches", "walk", "--overhead", "20%"])
    else {
        return;
    };
    let perf = |arguments: &[&str]| {
        let output = Command::new("perf")
            .args(arguments)
            .args(["-i", "hone.data"])
            .current_dir(recorded.directory.path())
            .output();
        stdout(&output.unwrap())
    };
    let stacks = perf(&["script", "-F", "ip,brstack"]);
    assert!(
        stacks
            .lines()
            .filter(|line| line.matches("0x").count() > 20)
            .count()
            > 10,
        "{stacks}"
    );
    let report = perf(&["report", "--stdio"]);
    assert!(
        report.contains("Mul::run") && report.contains("main"),
        "{report}"
    );
}

#[test]
#[ignore = "finds by samples"]
fn a_machine_without_perf_events_still_records_its_own_programs() {
    let Some(recorded) = recorded(
        FOR_PROFILING,
        &["--sampler", "ptrace", "--branches", "none"],
    ) else {
        return;
    };
    assert_eq!(
        recorded.output.status.code(),
        Some(7),
        "{}",
        stderr(&recorded.output)
    );
    let output = recorded.hone(&[
        "convert",
        "hone.data",
        "--binary",
        "p",
        "--to",
        "autofdo-text",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("_ZN3Mul3runEj:"),
        "{}",
        stdout(&output)
    );
    assert!(
        stderr(&output).contains("no branch records"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn plain_samples_become_a_profile_with_a_warning() {
    let Some(recorded) = recorded(FOR_PROFILING, &["--branches", "none"]) else {
        return;
    };
    assert_eq!(
        recorded.output.status.code(),
        Some(7),
        "{}",
        stderr(&recorded.output)
    );
    let words = "convert hone.data --binary p --to autofdo-text";
    let output = recorded.hone(&words.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("main:"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("no branch records"),
        "{}",
        stderr(&output)
    );
}

/// The branch records of the CPU, where it has them.
#[test]
fn the_cpus_branch_records_become_a_profile() {
    let Some(recorded) = recorded(FOR_PROFILING, &["--branches", "lbr"]) else {
        return;
    };
    if recorded.output.status.code() == Some(2) {
        println!("skipped: {}", stderr(&recorded.output));
        return;
    }
    let words = "convert hone.data --binary p --to autofdo-text";
    let output = recorded.hone(&words.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("_ZN3Mul3runEj:"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn calls_are_recorded_by_frame_pointers_and_by_unwinding() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for (flags, call_graph) in [
        ("-fno-omit-frame-pointer", "fp"),
        ("-fomit-frame-pointer", "dwarf"),
    ] {
        compile(directory.path(), &[flags]);
        let words = [
            "record",
            "--call-graph",
            call_graph,
            "--",
            "./p",
            "200000000",
        ];
        let output = hone(&words, directory.path());
        if stderr(&output).contains("perf_event_open") && output.status.code() == Some(2) {
            println!("skipped: no perf events here: {}", stderr(&output));
            return;
        }
        assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
        let words = "view hone.data --to folded -o -";
        let folded = hone(&words.split(' ').collect::<Vec<_>>(), directory.path());
        let folded = stdout(&folded);
        // All but the first of many samples.
        assert!(
            folded.contains("main;Mul::run(unsigned int) "),
            "{call_graph}: {folded}"
        );
    }
}

#[test]
fn bad_input_of_record_is_refused_with_a_next_step() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (vec!["record", "--", "./no-such-program"], "not found"),
        (vec!["record", "--", "/tmp"], "directory"),
        (
            vec!["record", "-o", "/no/such/place/x.data", "--", "true"],
            "/no/such/place/x.data",
        ),
        (vec!["record", "-p", "999999999"], "no process"),
        (vec!["record", "-p", "1", "--branches", "walk"], "walk"),
    ] {
        let output = hone(&arguments, directory.path());
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {}",
            stderr(&output)
        );
        let message = stderr(&output);
        assert!(
            message.contains(expected) && message.contains("next: "),
            "{arguments:?}: {message}"
        );
        assert_eq!(
            fs::read_dir(directory.path()).unwrap().count(),
            0,
            "{arguments:?} left a file"
        );
    }
}
