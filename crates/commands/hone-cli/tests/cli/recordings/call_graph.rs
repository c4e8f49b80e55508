//! Callers of programs without frame pointers, stripped: `hone record -g`, and files of `perf record --call-graph
//! dwarf`, with perf's own unwinding as an oracle.

use crate::common::{hone, is_in_path, run_in, stderr, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Recursion of known depth, a callback of libc, a signal handler, a frame larger than a copy, a realigned frame.
const PROGRAM: &str = include_str!("call_graph/program.c");
/// C++: calls through a library and back, a thread, a child.
const LIBRARY: &str = include_str!("call_graph/library.cc");
const CALLER: &str = include_str!("call_graph/caller.cc");
const RUST: &str = include_str!("call_graph/program.rs");
const GO: &str = include_str!("call_graph/program.go");

/// How often `deep` is on its stacks.
const DEPTH: usize = 21;

/// A directory with the stripped program `p`, and under `full` the same with its symbols.
fn stripped(made: impl FnOnce(&Path)) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    made(directory.path());
    fs::create_dir(directory.path().join("full")).unwrap();
    fs::copy(directory.path().join("p"), directory.path().join("full/p")).unwrap();
    run_in(directory.path(), "strip", &["p"]);
    directory
}

fn c_program() -> tempfile::TempDir {
    stripped(|directory| {
        fs::write(directory.join("p.c"), PROGRAM).unwrap();
        let words = "-O2 -fomit-frame-pointer -Wl,--build-id p.c -o p";
        run_in(directory, "cc", &words.split(' ').collect::<Vec<_>>());
    })
}

/// Records `p`; false where perf events are refused.
fn record(directory: &Path, options: &[&str], command: &[&str]) -> bool {
    let words = [&["record", "-o", "hone.data"], options, &["--"], command].concat();
    let output = hone(&words, directory);
    if stderr(&output).contains("perf_event_open") && !output.status.success() {
        println!("skipped: no perf events here: {}", stderr(&output));
        return false;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    true
}

/// Stacks, outermost frame first, with their weights.
type Folded = BTreeMap<Vec<String>, u64>;

fn folded(directory: &Path, recording: &str) -> Folded {
    let words = [
        "view", recording, "--binary", "full/p", "--to", "folded", "-o", "folded",
    ];
    let output = hone(&words, directory);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(directory.join("folded")).unwrap();
    let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
    lines
        .map(|(stack, weight)| {
            let frames = stack.split(';').map(str::to_owned).collect();
            (frames, weight.parse().unwrap())
        })
        .collect()
}

/// The frames that bear one of these names.
fn only<'s>(stack: &'s [String], names: &[&str]) -> Vec<&'s str> {
    let frames = stack.iter().map(String::as_str);
    frames.filter(|frame| names.contains(frame)).collect()
}

/// Stacks that go through `name`; there must be some.
fn through<'f>(stacks: &'f Folded, name: &str) -> Vec<&'f Vec<String>> {
    let found: Vec<_> = stacks
        .keys()
        .filter(|stack| stack.iter().any(|frame| frame == name))
        .collect();
    assert!(!found.is_empty(), "nothing through {name} in {stacks:?}");
    found
}

fn is_whole(stack: &[String]) -> bool {
    !stack[0].ends_with(" stack]")
}

/// What the stacks of [`PROGRAM`] must look like.
fn check_program(stacks: &Folded) {
    let own = [
        "main",
        "deep",
        "sorts",
        "compare",
        "interrupted",
        "on_alarm",
        "big",
        "aligned",
    ];
    for stack in through(stacks, "deep") {
        let calls = only(stack, &own);
        assert_eq!(calls[0], "main", "{stack:?}");
        let depth = calls.len() - 1;
        assert!(
            stack[stack.len() - 1] != "spin" || depth == DEPTH,
            "{stack:?}"
        );
    }
    for stack in through(stacks, "compare") {
        assert_eq!(only(stack, &own), ["main", "sorts", "compare"], "{stack:?}");
        assert!(is_whole(stack), "{stack:?}");
    }
    // The clock is read in the vdso.
    for stack in through(stacks, "clocks") {
        assert_eq!(
            only(stack, &["main", "clocks"]),
            ["main", "clocks"],
            "{stack:?}"
        );
        assert!(is_whole(stack), "{stack:?}");
    }
    // A page between the stack pointer and the caller is not there.
    for stack in spinning_in(stacks, "absent") {
        assert_eq!(stack[..], ["[truncated stack]", "absent", "spin"]);
    }
    for stack in through(stacks, "aligned") {
        assert_eq!(only(stack, &own), ["main", "aligned"], "{stack:?}");
        assert!(is_whole(stack), "{stack:?}");
    }
    // The handler is called by nobody: below it stands what it interrupted.
    for stack in through(stacks, "on_alarm") {
        let calls = only(stack, &own);
        assert_eq!(calls[0], "main", "{stack:?}");
        assert_eq!(calls[calls.len() - 1], "on_alarm", "{stack:?}");
        assert!(is_whole(stack), "{stack:?}");
    }
    let handled = through(stacks, "on_alarm");
    let interrupted =
        |stack: &&&Vec<String>| only(stack, &own) == ["main", "interrupted", "on_alarm"];
    assert!(
        handled.iter().any(|stack| interrupted(&stack)),
        "{handled:?}"
    );
}

/// Stacks of `spin` where `name` called it.
fn spinning_in<'f>(stacks: &'f Folded, name: &str) -> Vec<&'f Vec<String>> {
    let is_spinning = |stack: &&Vec<String>| stack.last().is_some_and(|leaf| leaf == "spin");
    let stacks: Vec<_> = through(stacks, name)
        .into_iter()
        .filter(is_spinning)
        .collect();
    assert!(!stacks.is_empty(), "no spin in {name}");
    stacks
}

#[test]
#[ignore = "finds by samples"]
fn a_stripped_program_without_frame_pointers() {
    let directory = c_program();
    if !record(directory.path(), &["-g", "dwarf,8192"], &["./p", "100"]) {
        return;
    }
    let stacks = folded(directory.path(), "hone.data");
    check_program(&stacks);
    // More stack than was copied.
    for stack in spinning_in(&stacks, "big") {
        assert_eq!(stack[..], ["[truncated stack]", "big", "spin"]);
    }
    let top = hone(&["top", "--binary", "full/p"], directory.path());
    let text = stdout(&top);
    let quality = text.lines().last().unwrap();
    assert!(
        quality.starts_with("stacks: ") && quality.contains("% truncated"),
        "{text}"
    );
    assert!(!quality.contains(" 0.0 % truncated"), "{text}");

    if record(directory.path(), &["-g"], &["./p", "100"]) {
        let stacks = folded(directory.path(), "hone.data");
        check_program(&stacks);
        // While it fills its frame for the first time, pages of it are not there.
        for stack in spinning_in(&stacks, "big") {
            assert!(
                is_whole(stack) && only(stack, &["main"]) == ["main"],
                "{stack:?}"
            );
        }
    }
}

#[test]
#[ignore = "finds by samples"]
fn kept_copies_are_read_by_hone_and_by_perf() {
    let directory = c_program();
    if !record(directory.path(), &["-g", "--keep-stacks"], &["./p", "100"]) {
        return;
    }
    check_program(&folded(directory.path(), "hone.data"));
    if !is_in_path("perf") {
        println!("skipped: perf is not installed");
        return;
    }
    let script = perf_script(directory.path(), "hone.data");
    assert!(script.len() > 50, "{} samples", script.len());
}

/// Stacks that perf finds, outermost frame first, without the kernel's and without names that it does not know.
fn perf_script(directory: &Path, recording: &str) -> Vec<Vec<String>> {
    let words = [
        "script",
        "--no-inline",
        "-F",
        "comm,tid,time,event,ip,sym",
        "-i",
        recording,
    ];
    let mut command = Command::new("perf");
    command.args(words).current_dir(directory);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let samples = text
        .split("\n\n")
        .filter(|sample| !sample.trim().is_empty());
    samples
        .map(|sample| {
            let frames = sample
                .lines()
                .skip(1)
                .filter_map(|line| line.trim().split_once(' '));
            let mut names: Vec<String> = frames.map(|(_, name)| name.to_owned()).collect();
            names.reverse();
            names
        })
        .collect()
}

#[test]
#[ignore = "finds by samples"]
fn the_same_stacks_as_perf_finds() {
    if !is_in_path("perf") {
        println!("skipped: perf is not installed");
        return;
    }
    let directory = c_program();
    // perf has no other place to take names from.
    run_in(directory.path(), "cp", &["full/p", "p"]);
    let words = "record -q -F 997 -e cpu-clock --call-graph dwarf -o perf.data ./p 100";
    let recorded = Command::new("perf")
        .args(words.split(' '))
        .current_dir(directory.path())
        .output();
    if !recorded.is_ok_and(|output| output.status.success()) {
        println!("skipped: perf may not record here");
        return;
    }
    let stacks = folded(directory.path(), "perf.data");
    check_program(&stacks);
    let own = [
        "main",
        "deep",
        "sorts",
        "compare",
        "interrupted",
        "on_alarm",
        "big",
        "aligned",
        "spin",
        "clocks",
    ];
    let mut theirs: BTreeMap<Vec<String>, i64> = BTreeMap::new();
    for stack in perf_script(directory.path(), "perf.data") {
        let calls = only(&stack, &own).into_iter().map(str::to_owned).collect();
        *theirs.entry(calls).or_default() += 1;
    }
    let all: i64 = theirs.values().sum();
    let period = stacks.values().sum::<u64>() as f64 / all as f64;
    for (stack, weight) in &stacks {
        let calls: Vec<String> = only(stack, &own).into_iter().map(str::to_owned).collect();
        *theirs.entry(calls).or_default() -= (*weight as f64 / period).round() as i64;
    }
    // Where perf gives up, at large frames and in the vdso, it has less.
    let differing: i64 = theirs.values().map(|count| count.abs()).sum();
    assert!(differing * 10 <= all, "{differing} of {all}: {theirs:?}");
}

#[test]
#[ignore = "finds by samples"]
fn a_library_a_thread_and_a_child() {
    if !is_in_path("c++") {
        println!("skipped: no C++ compiler");
        return;
    }
    let directory = stripped(|directory| {
        fs::write(directory.join("library.cc"), LIBRARY).unwrap();
        fs::write(directory.join("caller.cc"), CALLER).unwrap();
        let library = "-O2 -fomit-frame-pointer -fPIC -shared library.cc -o libwork.so";
        run_in(directory, "c++", &library.split(' ').collect::<Vec<_>>());
        run_in(directory, "strip", &["libwork.so"]);
        let program = "-O2 -fomit-frame-pointer caller.cc -o p ./libwork.so -pthread";
        run_in(directory, "c++", &program.split(' ').collect::<Vec<_>>());
    });
    if !record(directory.path(), &["-g"], &["./p"]) {
        return;
    }
    let stacks = folded(directory.path(), "hone.data");
    let own = [
        "main",
        "in_thread",
        "in_child",
        "run_all",
        "step()",
        "libwork.so",
        "[libwork.so]",
    ];
    let mut from: Vec<&str> = Vec::new();
    for stack in through(&stacks, "step()") {
        assert!(is_whole(stack), "{stack:?}");
        let calls = only(stack, &own);
        assert_eq!(calls[calls.len() - 1], "step()", "{stack:?}");
        // The exported name of the library is all that is left of it.
        assert!(
            calls.contains(&"run_all") || calls.contains(&"[libwork.so]"),
            "{stack:?}"
        );
        from.extend(calls);
    }
    for caller in ["main", "in_thread", "in_child"] {
        assert!(from.contains(&caller), "nothing from {caller}: {stacks:?}");
    }
    let processes = stdout(&hone(
        &["top", "--by", "process", "--json"],
        directory.path(),
    ));
    assert_eq!(processes.matches("\"name\"").count(), 2, "{processes}");
}

#[test]
#[ignore = "finds by samples"]
fn a_rust_program() {
    if !is_in_path("rustc") {
        println!("skipped: rustc is not installed");
        return;
    }
    let directory = stripped(|directory| {
        fs::write(directory.join("p.rs"), RUST).unwrap();
        run_in(directory, "rustc", &["-O", "-o", "p", "p.rs"]);
    });
    if !record(directory.path(), &["-g"], &["./p"]) {
        return;
    }
    let stacks = folded(directory.path(), "hone.data");
    for stack in through(&stacks, "spin") {
        assert!(is_whole(stack), "{stack:?}");
        assert_eq!(
            only(stack, &["middle", "spin"]),
            ["middle", "spin"],
            "{stack:?}"
        );
    }
}

#[test]
#[ignore = "finds by samples"]
fn a_stripped_go_program_by_its_frame_pointers() {
    if !is_in_path("go") {
        println!("skipped: go is not installed");
        return;
    }
    let directory = stripped(|directory| {
        fs::write(directory.join("p.go"), GO).unwrap();
        let cache = directory.join("cache");
        let status = Command::new("go")
            .args(["build", "-o", "p", "p.go"])
            .current_dir(directory)
            .env("GOCACHE", cache)
            .env("GOFLAGS", "-mod=mod")
            .env("GO111MODULE", "off")
            .status();
        assert!(status.unwrap().success());
    });
    if !record(directory.path(), &["-g"], &["./p"]) {
        return;
    }
    let stacks = folded(directory.path(), "hone.data");
    let whole = through(&stacks, "main.spin")
        .into_iter()
        .filter(|stack| is_whole(stack));
    let own = ["main.main", "main.middle", "main.spin"];
    assert!(
        whole.into_iter().any(|stack| only(stack, &own) == own),
        "{stacks:?}"
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for words in [
        "record -g dwarf,99999 -- true",
        "record -g lbr -- true",
        "record -g dwarf --branches walk -- true",
        "record --keep-stacks -- true",
    ] {
        let output = hone(&words.split(' ').collect::<Vec<_>>(), directory.path());
        assert_eq!(
            output.status.code(),
            Some(2),
            "{words}: {}",
            stderr(&output)
        );
    }
}
