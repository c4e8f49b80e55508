//! `hone bench` as users start it: real commands, real output.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::is_refused;
use serde_json::Value;

/// A shell loop; what it costs follows from the number of rounds.
fn rounds(count: u32) -> String {
    format!("i=0; while [ $i -lt {count} ]; do i=$((i+1)); done")
}

fn bench(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hone"))
        .arg("bench")
        .args(words)
        .output()
        .unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

#[track_caller]
fn refused(words: &[&str], fact: &str, next: &str) {
    is_refused(&bench(words), fact, next);
}

#[test]
#[ignore = "judges a gain"]
fn a_third_of_the_rounds_is_faster() {
    let (old, new) = (rounds(90_000), rounds(30_000));
    let words = [
        &old,
        &new,
        "--blocks",
        "6",
        "--allow-short",
        "--seed",
        "5",
        "--expect",
        "faster",
    ];
    let output = bench(&words);
    let text = stdout(&output);
    assert_eq!(code(&output), 0, "{text}{}", stderr(&output));
    assert!(text.starts_with("Faster. The new command takes "), "{text}");
    assert!(
        text.contains("CPU seconds, median") && text.contains("peak memory"),
        "{text}"
    );
    assert!(text.contains("6 blocks, 24 runs, seed 5."), "{text}");
    assert!(text.contains("Stolen by the hypervisor"), "{text}");
    assert!(text.contains("would have been proven"), "{text}");
}

#[test]
#[ignore = "judges a gain"]
fn three_times_the_rounds_fails_both_gates() {
    let (old, new) = (rounds(30_000), rounds(90_000));
    for gate in ["faster", "not-slower"] {
        let output = bench(&[
            &old,
            &new,
            "--blocks",
            "6",
            "--allow-short",
            "--expect",
            gate,
        ]);
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        assert!(
            stdout(&output).starts_with("Slower. The new command takes "),
            "{}",
            stdout(&output)
        );
    }
}

#[test]
fn the_json_of_a_command_against_itself_is_complete() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("result.json");
    let command = rounds(20_000);
    let words = [
        &command,
        "--blocks",
        "4",
        "--allow-short",
        "--output",
        file.to_str().unwrap(),
    ];
    let output = bench(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("against itself"),
        "{}",
        stdout(&output)
    );

    let stored = json(&file);
    assert_eq!(stored["self_check"], true);
    assert_eq!(stored["commands"][0]["new"], command);
    for key in ["cpu", "cpus", "memory_bytes", "kernel", "os"] {
        assert!(!stored["machine"][key].is_null(), "machine.{key}");
    }
    let runs = stored["experiment"]["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 16);
    for run in runs {
        let seen = &run["observation"];
        let cpu_s = seen["user_s"].as_f64().unwrap() + seen["system_s"].as_f64().unwrap();
        assert!(cpu_s > 0.001 && cpu_s < 60.0, "{seen}");
        assert!(seen["wall_s"].as_f64().unwrap() > 0.0, "{seen}");
        assert!(seen["peak_rss_bytes"].as_u64().unwrap() > 100_000, "{seen}");
    }
    let overall = &stored["comparison"]["overall"];
    let [ratio, low, high] = ["ratio", "low", "high"].map(|end| overall[end].as_f64().unwrap());
    assert!(
        low <= ratio && ratio <= high && low > 0.1 && high < 10.0,
        "{overall}"
    );
    assert!(stored["power"]["provable_ratio"].as_f64().unwrap() >= 1.0);

    let left: Vec<_> = std::fs::read_dir(directory.path())
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(
        left.len(),
        1,
        "only the result under its final name: {left:?}"
    );
}

#[test]
fn workloads_get_a_ratio_each_and_one_together() {
    let directory = tempfile::tempdir().unwrap();
    let script = |name: &str, factor: u32| {
        let path = directory.path().join(name);
        let text = format!("n=$(($1 * {factor})); i=0; while [ $i -lt $n ]; do i=$((i+1)); done");
        std::fs::write(&path, text).unwrap();
        format!("sh {}", path.display())
    };
    let (old, new) = (script("old", 3), script("new", 1));
    let file = directory.path().join("result.json");
    let words = [
        &old,
        &new,
        "--workload",
        "small=8000",
        "--workload",
        "large=16000",
        "--blocks",
        "4",
        "--allow-short",
        "--output",
        file.to_str().unwrap(),
    ];
    let output = bench(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("  small ") && text.contains("  large "),
        "{text}"
    );
    assert!(
        text.contains("All 2 workloads: ") && text.contains("geometric mean"),
        "{text}"
    );
    let comparison = &json(&file)["comparison"];
    let gains: Vec<f64> = comparison["workloads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["gain"]["ratio"].as_f64().unwrap())
        .collect();
    let mean = (gains[0] * gains[1]).sqrt();
    assert!((comparison["overall"]["ratio"].as_f64().unwrap() - mean).abs() < 1e-9);
}

#[test]
#[ignore = "judges a gain"]
fn work_turns_cost_into_cost_per_unit() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("result.json");
    let file = file.to_str().unwrap();
    // The same CPU, ten times the work stated.
    let old = format!("{}; echo did 100 things", rounds(20_000));
    let new = format!("{}; echo did 1000 things", rounds(20_000));
    let words = [
        &old,
        &new,
        "--work",
        "did ([0-9]+)",
        "--blocks",
        "4",
        "--allow-short",
        "--output",
        file,
    ];
    let output = bench(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("less CPU per unit of work"),
        "{}",
        stdout(&output)
    );
    let stored = json(Path::new(file));
    assert_eq!(stored["comparison"]["metric"], "cpu_per_work");
    let ratio = stored["comparison"]["overall"]["ratio"].as_f64().unwrap();
    assert!((3.0..30.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_child_that_leaves_the_session_is_counted() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("result.json");
    let script = directory.path().join("loop.sh");
    std::fs::write(&script, rounds(150_000)).unwrap();
    // The command itself ends at once and does nothing.
    let command = format!("(setsid sh {} &); true", script.display());
    let words = [
        &command,
        "--blocks",
        "4",
        "--allow-short",
        "--output",
        file.to_str().unwrap(),
    ];
    let output = bench(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let median = json(&file)["comparison"]["workloads"][0]["old_median"]
        .as_f64()
        .unwrap();
    assert!(median > 0.005, "the loop was not counted: {median}");
}

/// What each kind of failure is called is tested in hone-bench; these are the facts that a real shell reports.
#[test]
fn what_cannot_be_measured_is_refused_with_the_next_step() {
    refused(
        &["./no-such-file", "true"],
        "command not found",
        "./no-such-file",
    );
    refused(&["/etc/passwd"], "not executable", "chmod +x /etc/passwd");
    refused(
        &["echo spoken >&2; exit 3"],
        "exit status 3\n  | spoken",
        "run it by hand",
    );
    refused(&["kill -9 $$"], "ended by signal 9", "run it by hand");
    refused(&["true"], "s of CPU, less than 0.2 s", "--allow-short");
    refused(
        &["sleep 60", "--timeout", "0.2"],
        "still running after 0.2 s",
        "--timeout",
    );
    let work = ["echo done", "--work", "did ([0-9]+)", "--allow-short"];
    refused(&work, "'did ([0-9]+)' finds no number", "--work");
}

#[test]
fn the_failing_side_is_named() {
    let old = rounds(100);
    let output = bench(&[&old, "exit 9", "--allow-short"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("run 2, new command 'exit 9': exit status 9"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_json_file_that_cannot_be_written_is_said_so() {
    let command = rounds(100);
    let words = [
        &command,
        "--blocks",
        "4",
        "--allow-short",
        "--output",
        "/nonexistent/x.json",
    ];
    refused(&words, "/nonexistent/x.json", "make its directory first");
}

#[test]
fn an_interruption_ends_the_whole_tree() {
    let directory = tempfile::tempdir().unwrap();
    let pid_file = directory.path().join("pid");
    let command = format!("sleep 600 & echo $! > {}; wait", pid_file.display());
    let mut hone = Command::new(env!("CARGO_BIN_EXE_hone"))
        .args(["bench", &command])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let sleeper = testkit::until("the command started", || {
        let text = std::fs::read_to_string(&pid_file).ok()?;
        text.trim().parse::<u32>().ok()
    });
    let signalled = Command::new("kill")
        .args(["-INT", &hone.id().to_string()])
        .status()
        .unwrap();
    assert!(signalled.success());
    assert_eq!(hone.wait().unwrap().code(), Some(130));
    let stat = std::fs::read_to_string(format!("/proc/{sleeper}/stat")).unwrap_or_default();
    assert!(!stat.contains("(sleep)"), "still there: {stat}");
}
