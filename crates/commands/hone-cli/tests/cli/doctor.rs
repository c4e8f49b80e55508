//! `hone doctor` as users start it.

use std::process::{Command, Output};

use serde_json::Value;

const IDS: [&str; 24] = [
    "pmu_counters",
    "branch_records",
    "cpu_clock",
    "perf_event_paranoid",
    "kernel_samples",
    "cpu_counters",
    "ptrace",
    "real_time_priority",
    "locked_memory",
    "perf",
    "clang",
    "clangxx",
    "lld",
    "llvm_profdata",
    "llvm_ar",
    "llvm_bolt",
    "bolt_runtime",
    "mimalloc",
    "jemalloc",
    "tcmalloc",
    "musl",
    "debuginfod",
    "hone_agent",
    "hone_thrift",
];

fn doctor(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
    command.arg("doctor").args(words);
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn complete(output: &Output) -> Value {
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in [
        "cpu",
        "cpus",
        "memory_bytes",
        "kernel",
        "os",
        "hypervisor",
        "hardware_counters",
    ] {
        assert!(found["machine"].get(key).is_some(), "machine.{key}");
    }
    assert!(found["machine"]["cpus"].as_u64().unwrap() >= 1);
    assert!(found["machine"]["memory_bytes"].as_u64().unwrap() > 1 << 20);
    let facts = found["facts"].as_array().unwrap();
    let ids: Vec<_> = facts
        .iter()
        .map(|fact| fact["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, IDS);
    for fact in facts {
        let status = fact["status"].as_str().unwrap();
        assert!(["ok", "limited", "missing"].contains(&status), "{fact}");
        assert!(!fact["fact"].as_str().unwrap().is_empty(), "{fact}");
        let mend = fact["mend"].as_str();
        let mendable = fact["mendable"].as_bool().unwrap();
        assert!(!(mendable && status == "ok"), "{fact}");
        assert_eq!(
            mend.is_none(),
            status == "ok",
            "a mend for what needs one: {fact}"
        );
    }
    found
}

#[test]
fn the_text_has_one_line_for_each_fact() {
    let output = doctor(&[])
        .env("DEBUGINFOD_URLS", "https://debug.example/")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("https://debug.example/"), "{text}");
    assert_eq!(text.lines().count(), IDS.len() + 2, "{text}");
    let mut lines = text.lines().skip(1);
    for line in lines.by_ref().take(IDS.len()) {
        let word = line.split_ascii_whitespace().next();
        let known = ["ok", "limited", "missing", "absent"];
        assert!(word.is_some_and(|word| known.contains(&word)), "{line}");
    }
    let verdict = lines.next().unwrap();
    assert!(verdict.starts_with("verdict: hone "), "{verdict}");
    assert!(
        !text.contains('\u{1b}'),
        "colours without a terminal: {text}"
    );
}

#[test]
fn without_path_and_environment_it_still_answers() {
    let found = complete(
        &doctor(&["--json"])
            .env_clear()
            .env("PATH", "")
            .output()
            .unwrap(),
    );
    let facts = found["facts"].as_array().unwrap();
    let status = |id: &str| {
        let fact = facts.iter().find(|fact| fact["id"] == id);
        fact.unwrap()["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status("perf"), "missing");
    assert_eq!(status("debuginfod"), "missing");
}

#[test]
fn json_has_every_fact_and_tools_are_of_one_release() {
    let found = complete(&doctor(&["--json"]).output().unwrap());
    let tools = found["tools"].as_object().unwrap();
    let others = ["gcc", "gxx", "rust_profdata", "allocators", "musl"];
    let llvm = tools
        .iter()
        .filter(|(name, tool)| !others.contains(&name.as_str()) && !tool.is_null());
    let mut majors: Vec<_> = llvm
        .map(|(_, tool)| tool["major"].as_u64().unwrap())
        .collect();
    majors.dedup();
    if majors.is_empty() {
        println!("skipped: no LLVM tools here");
        return;
    }
    assert_eq!(majors.len(), 1, "{tools:?}");
}

#[test]
fn an_unknown_command_runs_a_binary_of_that_name() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let binary = directory.path().join("hone-greet");
    std::fs::write(&binary, "#!/bin/sh\necho \"greetings $1\"; exit 7\n").unwrap();
    std::fs::set_permissions(&binary, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!(
        "{}:{}",
        directory.path().display(),
        std::env::var("PATH").unwrap()
    );
    let hone = || Command::new(env!("CARGO_BIN_EXE_hone"));
    let output = hone()
        .args(["greet", "all"])
        .env("PATH", path)
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(7), "greetings all\n")
    );

    let output = hone().args(["recrod", "--", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.ends_with("\nnext: did you mean: hone record\n"),
        "{said}"
    );

    let output = hone().args(["no-such-command"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("there is no command 'no-such-command'"),
        "{said}"
    );
    assert!(said.contains("next: hone --help"), "{said}");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let line = format!("'{}' doctor | true", env!("CARGO_BIN_EXE_hone"));
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
