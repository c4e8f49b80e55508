//! `hone optimize` where projects and machines are not tidy: signals at bad moments, functions that llvm-bolt cannot move,
//! commands that never end.

use crate::common::{Project, has_tools, stderr};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use testkit::{until, until_true};

fn rung<'a>(report: &'a serde_json::Value, title: &str) -> &'a serde_json::Value {
    let rungs = report["rungs"].as_array().unwrap();
    let found = rungs.iter().find(|rung| rung["title"] == title);
    found.unwrap_or_else(|| panic!("no rung {title}"))
}

fn is_measured(rung: &serde_json::Value) -> bool {
    rung["comparison"]["overall"]["ratio"].is_number()
}

/// The process id that a command of the project wrote down, once it is there whole.
fn written_pid(path: &Path) -> i32 {
    until("a process id", || {
        let text = fs::read_to_string(path).ok()?;
        text.strip_suffix('\n')?.parse().ok()
    })
}

/// Whether a process is there and has not ended.
fn is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit_once(") ")
        .map(|(_, rest)| rest.starts_with('Z'));
    state == Some(false)
}

fn kill(pid: i32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

fn started(project: &Project) -> Child {
    Command::new(env!("CARGO_BIN_EXE_hone"))
        .args(["optimize", "hone.toml"])
        .current_dir(project.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end of hone.
fn ended(mut child: Child) -> Output {
    until_true("the end of hone", || child.try_wait().unwrap().is_some());
    child.wait_with_output().unwrap()
}

#[test]
#[ignore = "builds whole modules"]
fn a_workload_that_is_being_recorded_ends_with_hone() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\"");
    let pid_file = project.path("pid");
    // It starts a process that leaves its parent and does not listen.
    let train = format!(
        "(trap '' TERM; while :; do sleep 1; done) & echo $! >{}; {{binary}} 4000000001",
        pid_file.display()
    );
    project.edit("hone.toml", "{binary} 30000001", &train);
    let child = started(&project);
    let pid = written_pid(&pid_file);
    assert!(is_alive(pid));
    kill(child.id() as i32, rustix::process::Signal::TERM);
    let output = ended(child);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let survived = is_alive(pid);
    if survived {
        kill(pid, rustix::process::Signal::KILL);
    }
    assert!(!survived, "the workload runs on");
    assert!(crate::common::processes_in(&project.path(".hone")).is_empty());
}

/// A build that does not end, and whose last process does not listen.
fn with_endless_build() -> Project {
    let project = Project::new("\"thinlto\"");
    let build = format!(
        "(trap '' TERM HUP; while :; do sleep 1; done) &\necho $! >{}\nwait\n",
        project.path("pid").display()
    );
    fs::write(project.path("build.sh"), build).unwrap();
    project
}

#[test]
fn a_build_ends_with_hone_even_if_it_does_not_listen() {
    use rustix::process::Signal;
    for (signal, status) in [(Signal::TERM, Some(130)), (Signal::KILL, None)] {
        let project = with_endless_build();
        let child = started(&project);
        let pid = written_pid(&project.path("pid"));
        kill(child.id() as i32, signal);
        assert_eq!(ended(child).status.code(), status);
        until_true("the end of the build", || !is_alive(pid));
    }
}

#[test]
#[ignore = "waits on a clock"]
fn what_a_killed_run_left_at_work_is_named_and_not_built_upon() {
    use rustix::process::Signal;
    let project = with_endless_build();
    let child = started(&project);
    let pid = written_pid(&project.path("pid"));
    let hone = child.id() as i32;
    let children = fs::read_to_string(format!("/proc/{hone}/task/{hone}/children"));
    let Ok(children) = children else {
        println!("skipped: the kernel does not list children");
        kill(hone, Signal::TERM);
        ended(child);
        return;
    };
    let helper: i32 = children.trim().parse().unwrap();
    // As the kernel does it when memory runs out: nobody is left to end the build.
    kill(helper, Signal::STOP);
    kill(hone, Signal::KILL);
    kill(helper, Signal::KILL);
    ended(child);
    assert!(is_alive(pid));
    let output = ended(started(&project));
    let message = stderr(&output);
    for left in crate::common::processes_in(&project.path(".hone")) {
        kill(left, Signal::KILL);
    }
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("has left something at work")
            && message.contains(&format!("process {pid}")),
        "{message}"
    );
    assert!(
        message.contains("next: wait for it, or end it: kill "),
        "{message}"
    );
}

#[test]
#[ignore = "waits on a clock"]
fn training_that_never_ends_is_left_out() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19"]) {
        return;
    }
    let project = Project::new("\"autofdo\", \"pgo\"");
    let train = "{binary} 30000001; sleep 600\"\nlimit_seconds = 2";
    project.edit("hone.toml", "{binary} 30000001\"", train);
    project.optimize(&[]);
    let report = project.report();
    for title in ["AutoFDO (branch records)", "Instrumented PGO"] {
        let outcome = rung(&report, title)["outcome"].to_string();
        assert!(outcome.contains("still running after 2 s"), "{outcome}");
    }
    assert_eq!(crate::common::processes_in(&project.path("")), [0_i32; 0]);
}

#[test]
#[ignore = "builds whole modules"]
fn a_function_that_bolt_cannot_move_is_left_alone() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-bolt-19"]) {
        return;
    }
    let project = Project::new("\"bolt\"");
    // Addresses of inner labels in a table of another section: llvm-bolt 19 gives up on these.
    let steps = r#"
        static const char code[] = {0, 1, 2, 0, 1, 3};
        unsigned mix(unsigned x) {
            static const void *const table[] = {&&add, &&times, &&less, &&end};
            const char *at = code;
            goto *table[(int)*at++];
        add: x += 7; goto *table[(int)*at++];
        times: x *= 3; goto *table[(int)*at++];
        less: x -= 1; goto *table[(int)*at++];
        end: return x;
        }
        unsigned turn(unsigned x) { return x << 5 | x >> 27; }
    "#;
    fs::write(project.path("steps.c"), steps).unwrap();
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let bolt = rung(&report, "BOLT (branch records)");
    assert!(is_measured(bolt), "{}", bolt["outcome"]);
    let command = bolt["flags"]["post_link"].to_string();
    if !command.contains("-skip-funcs=mix") {
        println!("skipped: this llvm-bolt moves functions with computed goto");
        return;
    }
    assert!(
        report["notes"]
            .to_string()
            .contains("could not rewrite mix"),
        "{}",
        report["notes"]
    );
}
