//! Stacks through handlers of signals: on the stack of what they interrupt and on their own, with glibc, musl and Go.

use crate::common::{hone, is_in_path, run_in, stderr};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = include_str!("call_graph/signals.c");
const GO: &str = include_str!("call_graph/profiled.go");

/// The functions of [`PROGRAM`], and the order in which they stand when the handler interrupted its inner loop.
const OWN: [&str; 5] = ["main", "outer", "interrupted", "on_signal", "burn"];

/// `p`, made by this compiler.
fn compiled(compiler: &str, flags: &[&str]) -> Option<tempfile::TempDir> {
    if !is_in_path(compiler) {
        println!("skipped: {compiler} is not installed");
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("p.c"), PROGRAM).unwrap();
    let own = ["-O2", "-fomit-frame-pointer", "p.c", "-o", "p"];
    run_in(directory.path(), compiler, &[&own, flags].concat());
    Some(directory)
}

/// The distinct stacks of a run, outermost frame first; none where perf events are refused.
fn stacks(directory: &Path, command: &[&str]) -> Option<BTreeSet<Vec<String>>> {
    let words = [&["record", "-g", "-o", "p.data", "--"], command].concat();
    let output = hone(&words, directory);
    if stderr(&output).contains("perf_event_open") && !output.status.success() {
        println!("skipped: no perf events here: {}", stderr(&output));
        return None;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    let words = "view p.data --to folded -o folded".split(' ');
    let output = hone(&words.collect::<Vec<_>>(), directory);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(directory.join("folded")).unwrap();
    let stacks = text.lines().filter_map(|line| line.rsplit_once(' '));
    let frames = |stack: &str| stack.split(';').map(str::to_owned).collect();
    Some(stacks.map(|(stack, _)| frames(stack)).collect())
}

fn own(stack: &[String]) -> Vec<&str> {
    let frames = stack.iter().map(String::as_str);
    frames.filter(|frame| OWN.contains(frame)).collect()
}

/// Stacks of the handler at work.
fn handled(stacks: &BTreeSet<Vec<String>>) -> Vec<&Vec<String>> {
    let all = stacks.iter();
    let found: Vec<_> = all
        .filter(|stack| stack.last().is_some_and(|leaf| leaf == "burn"))
        .collect();
    assert!(!found.is_empty(), "the handler was not seen: {stacks:?}");
    found
}

/// On the interrupted stack, all of it is known.
fn on_the_same_stack(directory: &Path) {
    let Some(stacks) = stacks(directory, &["./p"]) else {
        return;
    };
    let handled = handled(&stacks);
    assert!(handled.iter().any(|stack| own(stack) == OWN), "{handled:?}");
    for stack in handled {
        let calls = own(stack);
        assert_eq!(calls[0], "main", "{stack:?}");
        assert_eq!(calls[calls.len() - 2..], ["on_signal", "burn"], "{stack:?}");
    }
}

/// On a stack of its own, the interrupted function is known, and that its callers are not.
fn on_its_own_stack(directory: &Path) {
    let Some(stacks) = stacks(directory, &["./p", "own"]) else {
        return;
    };
    let handled = handled(&stacks);
    let marked = |stack: &[String]| stack[0] == "[broken stack]" && own(stack) == OWN[2..];
    assert!(handled.iter().any(|stack| marked(stack)), "{handled:?}");
    for stack in handled {
        assert_eq!(stack[0], "[broken stack]", "{stack:?}");
        let calls = own(stack);
        assert_eq!(calls.len(), 3, "{stack:?}");
        assert_eq!(calls[1..], ["on_signal", "burn"], "{stack:?}");
    }
}

fn both(compiler: &str, flags: &[&str]) {
    if let Some(directory) = compiled(compiler, flags) {
        on_the_same_stack(directory.path());
        on_its_own_stack(directory.path());
    }
}

#[test]
#[ignore = "finds by samples"]
fn handlers_of_a_program_with_glibc() {
    both("gcc", &[]);
}

#[test]
#[ignore = "finds by samples"]
fn handlers_of_a_static_program_with_glibc() {
    both("gcc", &["-static"]);
}

#[test]
#[ignore = "finds by samples"]
fn handlers_of_a_program_with_musl() {
    both("musl-gcc", &[]);
}

#[test]
#[ignore = "finds by samples"]
fn handlers_of_a_static_program_with_musl() {
    both("musl-gcc", &["-static"]);
}

/// Go handles signals on a stack of its own. Its run time is followed to the function that was interrupted.
#[test]
#[ignore = "finds by samples"]
fn the_handler_of_a_go_program() {
    if !is_in_path("go") {
        println!("skipped: go is not installed");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("p.go"), GO).unwrap();
    let built = Command::new("go")
        .args(["build", "-o", "p", "p.go"])
        .current_dir(directory.path())
        .env("GOCACHE", directory.path().join("cache"))
        .env("GOFLAGS", "-mod=mod")
        .env("GO111MODULE", "off")
        .status();
    assert!(built.unwrap().success());
    let Some(stacks) = stacks(directory.path(), &["./p"]) else {
        return;
    };
    let has = |stack: &[String], name: &str| stack.iter().any(|frame| frame == name);
    let handled: Vec<_> = stacks
        .iter()
        .filter(|stack| has(stack, "runtime.sigprof"))
        .collect();
    assert!(!handled.is_empty(), "the handler was not seen: {stacks:?}");
    let below = |stack: &[String]| stack[0] == "[broken stack]" && stack[1].ends_with(".Syscall6");
    assert!(handled.iter().any(|stack| below(stack)), "{handled:?}");
    for stack in handled {
        // What was interrupted stands behind the mark, and may be this function. Whoever called it is not known.
        assert!(!has(&stack[2..], "main.deep"), "glued: {stack:?}");
    }
}
